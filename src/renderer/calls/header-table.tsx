import styles from './header-table.module.css';

/** HTTP headers by name and value, in their order. */
export function HeaderTable({ caption, headers }: { caption: string; headers: readonly (readonly [string, string])[] }) {
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">{caption}: name and value</caption>
      <tbody>
        {headers.map(([name, value], at) => (
          // A header may come more than once with the same value.
          <tr key={`${name} ${at}`}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
