// Asks as a backend in Java does: `Client.java URL CA`, and prints what came.
import java.io.ByteArrayInputStream;
import java.io.FileInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

public class Client {
    static HttpClient client;
    static String base;

    public static void main(String[] args) throws Exception {
        base = args[0];
        var store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null);
        try (var file = new FileInputStream(args[1])) {
            store.setCertificateEntry("ca", CertificateFactory.getInstance("X.509").generateCertificate(file));
        }
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        var tls = SSLContext.getInstance("TLS");
        tls.init(null, trust.getTrustManagers(), null);
        client = HttpClient.newBuilder().sslContext(tls).build();
        var json = "{\"action\":\"gameList\"}";
        ask("GET", "/sized?x=%20y&z", BodyPublishers.noBody(), false);
        ask("POST", "/sized", BodyPublishers.ofString(json), false);
        ask("POST", "/chunked", BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(json.getBytes())), false);
        ask("HEAD", "/sized", BodyPublishers.noBody(), false);
        ask("PUT", "/error", BodyPublishers.ofByteArray(new byte[] {-1, 0}), false);
        ask("POST", "/nothing", BodyPublishers.ofString(""), false);
        ask("POST", "/large", BodyPublishers.ofString("a/é".repeat(300_000)), true);
        ask("GET", "/end", BodyPublishers.noBody(), false);
        ask("POST", "/sized", BodyPublishers.ofString(json), false);
    }

    static void ask(String method, String path, BodyPublisher body, boolean waits) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(base + path)).method(method, body).header("X-mixed-CASE", "a  b");
        var got = client.send(request.expectContinue(waits).build(), BodyHandlers.ofByteArray());
        var text = new String(got.body(), "ISO-8859-1");
        System.out.println(
            got.version() + " " + got.statusCode() + " " + got.headers().map() + " " + text.length() + " "
                + text.substring(0, Math.min(50, text.length())));
    }
}
