// Writes moments, in seconds since 1970, one a line, in the patterns that people use in Java: "line TAB pattern TAB base64".

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.text.SimpleDateFormat;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Date;
import java.util.Locale;
import java.util.TimeZone;

public class Times {
  static final String[] patterns = {
    "dd-MM-yyyy HH:mm:ss", "dd-mm-yyyy hh:mm:ss", "dd-mm-yyyy HH:mm:ss", "dd-MM-yyyy hh:mm:ss", "dd-MM-YYYY HH:mm:ss", "DD-MM-yyyy HH:mm:ss",
    "dd-MMM-yyyy HH:mm:ss", "yyyy-MM-dd'T'HH:mm:ss'Z'", "yyyy-MM-dd'T'HH:mm:ssZ",
  };
  static int line = 0;

  public static void main(String[] args) throws Exception {
    var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String text = input.readLine(); text != null; text = input.readLine()) {
      var moment = Instant.ofEpochSecond(Long.parseLong(text));
      for (var pattern : patterns) {
        var old = new SimpleDateFormat(pattern, Locale.US);
        old.setTimeZone(TimeZone.getTimeZone("UTC"));
        write("SimpleDateFormat " + pattern, old.format(Date.from(moment)));
      }
      write("DateTimeFormatter dd-mm-yyyy hh:mm:ss", DateTimeFormatter.ofPattern("dd-mm-yyyy hh:mm:ss").format(moment.atOffset(ZoneOffset.UTC)));
      write("DateTimeFormatter dd-MM-YYYY, Germany", DateTimeFormatter.ofPattern("dd-MM-YYYY HH:mm:ss", Locale.GERMANY).format(moment.atOffset(ZoneOffset.UTC)));
      write("Instant", moment.toString());
      write("LocalDateTime", moment.atOffset(ZoneOffset.UTC).toLocalDateTime().toString());
      write("currentTimeMillis", String.valueOf(moment.toEpochMilli()));
      line++;
    }
  }

  static void write(String way, String text) {
    System.out.println(line + "\t" + way + "\t" + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)));
  }
}
