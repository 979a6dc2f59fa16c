# Reads an envelope and prints how bash and od show it: a line for each form, its name and its text in base64.
body=$(cat)
form() { printf '%s\t%s\n' "$1" "$(base64 -w 0)"; }
printf '%q' "$body" | form 'printf %q'
printf '%s' "$body" | od -A x -t x1z -v | form 'od'
