// Runs programs that sign, a case a line, on the clock of the case: `LocalDateTime` and the like are the case's own. Prints a line for each.

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import java.util.function.LongSupplier;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

class Run {
  static final String imports = """
      import com.fasterxml.jackson.annotation.JsonInclude;
      import com.fasterxml.jackson.core.json.JsonWriteFeature;
      import com.fasterxml.jackson.databind.ObjectMapper;
      import com.fasterxml.jackson.databind.SerializationFeature;
      import com.fasterxml.jackson.databind.json.JsonMapper;
      import com.google.gson.*;
      import java.math.*;
      import java.net.*;
      import java.nio.charset.StandardCharsets;
      import java.security.MessageDigest;
      import java.text.*;
      import java.time.*;
      import java.time.format.DateTimeFormatter;
      import java.util.*;
      import java.util.stream.Collectors;
      import javax.crypto.Mac;
      import javax.crypto.spec.SecretKeySpec;
      """;

  static final String inCase = """
      public class InCase {
        public static java.util.function.LongSupplier moment;
        public static String key;
        static class System {
          static String getenv(String name) { return key; }
          static long currentTimeMillis() { return 1000 * moment.getAsLong(); }
        }
        static class Date extends java.util.Date {
          Date() { super(System.currentTimeMillis()); }
        }
        static class ZonedDateTime {
          static java.time.ZonedDateTime now(ZoneId zone) { return Instant.ofEpochSecond(moment.getAsLong()).atZone(zone); }
          static java.time.ZonedDateTime now() { return now(ZoneId.systemDefault()); }
        }
        static class LocalDateTime {
          static java.time.LocalDateTime now(ZoneId zone) { return ZonedDateTime.now(zone).toLocalDateTime(); }
          static java.time.LocalDateTime now() { return ZonedDateTime.now().toLocalDateTime(); }
        }
      }
      """;

  /** Programs of one class: it has room for so many constants only. */
  static final int most = 200;
  static final ObjectMapper json = new ObjectMapper();

  public static void main(String[] args) throws Exception {
    Locale.setDefault(Locale.US);
    var cases = new ArrayList<JsonNode>();
    var places = new LinkedHashMap<String, Integer>();
    for (var line : new String(System.in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
      cases.add(json.readTree(line));
      places.putIfAbsent(cases.get(cases.size() - 1).get("program").asText(), places.size());
    }
    var classes = compile(List.copyOf(places.keySet()));
    for (var one : cases) {
      Map<String, String> answer;
      try {
        answer = run(classes, places.get(one.get("program").asText()), one);
      } catch (Exception error) {
        answer = Map.of("error", String.valueOf(error.getCause()));
      }
      System.out.println(json.writeValueAsString(answer));
    }
  }

  static Map<String, String> run(ClassLoader classes, int at, JsonNode one) throws Exception {
    TimeZone.setDefault(TimeZone.getTimeZone(one.get("zone").asText()));
    var clock = one.get("clock").elements();
    LongSupplier moment = new LongSupplier() {
      long last;
      public long getAsLong() { return clock.hasNext() ? last = clock.next().asLong() : last; }
    };
    var inCase = classes.loadClass("InCase");
    inCase.getField("moment").set(null, moment);
    inCase.getField("key").set(null, one.get("key").asText());
    var data = one.get("data").isNull() ? null : json.readValue(one.get("data").asText(), LinkedHashMap.class);
    var program = classes.loadClass("Programs" + at / most)
        .getMethod("sign" + at, LinkedHashMap.class, String.class, int.class, int.class);
    var made = (String[]) program.invoke(null, data, one.get("action").asText(), one.get("platform").asInt(), one.get("partnerId").asInt());
    var bytes = made[0].getBytes(made[0].length() == 32 ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
    return Map.of("hash", Base64.getEncoder().encodeToString(bytes), "time", made[1]);
  }

  static ClassLoader compile(List<String> programs) {
    var sources = new ArrayList<JavaFileObject>(List.of(source("InCase", imports + inCase)));
    for (int at = 0; at < programs.size(); at += most) {
      var name = "Programs" + at / most;
      var text = new StringBuilder(imports + "public class " + name + " extends InCase {\n");
      for (int own = at; own < Math.min(at + most, programs.size()); own++)
        text.append("public static String[] sign" + own
            + "(LinkedHashMap<String, Object> data, String action, int platform, int partnerId) throws Exception {\n"
            + programs.get(own) + "\nreturn new String[] {hash, time};\n}\n");
      sources.add(source(name, text + "}\n"));
    }
    var compiled = new HashMap<String, ByteArrayOutputStream>();
    var compiler = ToolProvider.getSystemJavaCompiler();
    var files = new ForwardingJavaFileManager<JavaFileManager>(compiler.getStandardFileManager(null, null, null)) {
      public JavaFileObject getJavaFileForOutput(Location location, String name, JavaFileObject.Kind kind, FileObject from) {
        return new SimpleJavaFileObject(URI.create("memory:///" + name), kind) {
          public OutputStream openOutputStream() { return compiled.computeIfAbsent(name, own -> new ByteArrayOutputStream()); }
        };
      }
    };
    var options = List.of("-proc:none", "-nowarn", "-cp", System.getProperty("java.class.path"));
    if (!compiler.getTask(null, files, null, options, null, sources).call()) System.exit(1);
    return new ClassLoader(Run.class.getClassLoader()) {
      protected Class<?> findClass(String name) {
        var bytes = compiled.get(name).toByteArray();
        return defineClass(name, bytes, 0, bytes.length);
      }
    };
  }

  static JavaFileObject source(String name, String text) {
    return new SimpleJavaFileObject(URI.create("memory:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
      public CharSequence getCharContent(boolean ignored) { return text; }
    };
  }
}
