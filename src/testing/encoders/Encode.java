// Writes JSON texts, one a line on standard input, again in each way in which people use Java: "line TAB way TAB base64".

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URLEncoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class Encode {
  static final ObjectMapper jackson = new ObjectMapper();

  public static void main(String[] args) throws Exception {
    var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    int line = 0;
    for (String text = input.readLine(); text != null; text = input.readLine()) {
      for (var way : ways(text).entrySet())
        System.out.println(line + "\t" + way.getKey() + "\t" + Base64.getEncoder().encodeToString(way.getValue()));
      line++;
    }
  }

  static Map<String, byte[]> ways(String text) throws Exception {
    // A LinkedHashMap of Integer, Long, Double and so on: the order and the types that a class would have.
    Map<?, ?> value = jackson.readValue(text, Map.class);
    var ascii = JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
    var sorted = JsonMapper.builder().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).build();
    var withoutNulls = JsonMapper.builder().build();
    withoutNulls.configOverride(Map.class).setInclude(JsonInclude.Value.construct(JsonInclude.Include.ALWAYS, JsonInclude.Include.NON_NULL));
    var withoutEmpties = JsonMapper.builder().build();
    withoutEmpties.configOverride(Map.class).setInclude(JsonInclude.Value.construct(JsonInclude.Include.ALWAYS, JsonInclude.Include.NON_EMPTY));
    var plain = jackson.writeValueAsString(value);
    var ways = new java.util.LinkedHashMap<String, byte[]>();
    put(ways, "Gson", new Gson().toJson(value));
    put(ways, "Gson, serializeNulls", new GsonBuilder().serializeNulls().create().toJson(value));
    put(ways, "Gson, disableHtmlEscaping", new GsonBuilder().disableHtmlEscaping().create().toJson(value));
    put(ways, "Gson, disableHtmlEscaping, serializeNulls", new GsonBuilder().disableHtmlEscaping().serializeNulls().create().toJson(value));
    put(ways, "Gson, setPrettyPrinting", new GsonBuilder().disableHtmlEscaping().serializeNulls().setPrettyPrinting().create().toJson(value));
    put(ways, "Gson through Object", new GsonBuilder().disableHtmlEscaping().serializeNulls().create().toJson(new Gson().fromJson(text, Object.class)));
    put(ways, "Jackson", plain);
    put(ways, "Jackson, ESCAPE_NON_ASCII", ascii.writeValueAsString(value));
    put(ways, "Jackson, pretty printer", jackson.writerWithDefaultPrettyPrinter().writeValueAsString(value));
    put(ways, "Jackson, ORDER_MAP_ENTRIES_BY_KEYS", sorted.writeValueAsString(value));
    put(ways, "Jackson, NON_NULL", withoutNulls.writeValueAsString(value));
    put(ways, "Jackson, NON_EMPTY", withoutEmpties.writeValueAsString(value));
    put(ways, "Jackson of a HashMap", jackson.writeValueAsString(hashed(value)));
    put(ways, "Jackson of a HashMap, ESCAPE_NON_ASCII", ascii.writeValueAsString(hashed(value)));
    put(ways, "toString of a map", String.valueOf(value));
    put(ways, "toString of a HashMap", String.valueOf(hashed(value)));
    put(ways, "URLEncoder", URLEncoder.encode(plain, StandardCharsets.UTF_8));
    put(ways, "Latin-1 bytes", plain, StandardCharsets.ISO_8859_1);
    put(ways, "ASCII bytes", plain, StandardCharsets.US_ASCII);
    return ways;
  }

  static Object hashed(Object value) {
    if (value instanceof List<?> list) {
      var items = new ArrayList<Object>();
      for (var one : list) items.add(hashed(one));
      return items;
    }
    if (!(value instanceof Map<?, ?> map)) return value;
    var made = new HashMap<Object, Object>();
    for (var one : map.entrySet()) made.put(one.getKey(), hashed(one.getValue()));
    return made;
  }

  static void put(Map<String, byte[]> ways, String way, String text) {
    put(ways, way, text, StandardCharsets.UTF_8);
  }

  static void put(Map<String, byte[]> ways, String way, String text, Charset charset) {
    ways.put(way, text.getBytes(charset));
  }
}
