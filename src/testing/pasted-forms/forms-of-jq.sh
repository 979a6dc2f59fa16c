# Reads an envelope and prints how jq shows it: a line for each form, its name and its text in base64.
body=$(cat)
form() { printf '%s\t%s\n' "$1" "$(base64 -w 0)"; }
printf '%s' "$body" | jq -c '{level: "error", message: "refused", body: .}' | form 'jq -c'
printf '%s' "$body" | jq -Rc '{level: "error", message: "refused", body: .}' | form 'jq -R'
printf '%s' "$body" | jq -Rr '@uri' | form 'jq @uri'
printf '%s' "$body" | jq -Rr '@csv "\([.])"' | form 'jq @csv'
printf '%s' "$body" | jq -Rr '@html' | form 'jq @html'
printf '%s' "$body" | jq -Rr '@sh' | form 'jq @sh'
