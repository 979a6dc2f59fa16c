/** A sentence whose dates, such as 2026-11-23, stay on one line: a browser breaks them after a hyphen. */
export function DatedText({ text }: { text: string }) {
  return text.split(/(\d{4}-\d{2}-\d{2})/).map((part, place) =>
    place % 2 === 0 ? (
      part
    ) : (
      <span key={place} className="one-line">
        {part}
      </span>
    ),
  );
}
