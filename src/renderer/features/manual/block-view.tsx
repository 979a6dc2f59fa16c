import { createElement, Fragment, type ReactNode } from 'react';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import { headingId } from './headings.ts';
import { plainText, type Block, type Inline, type LinkGoal } from './page-tree.ts';
import styles from './block-view.module.css';

/** Parts of their surroundings that blocks need: the addresses of pictures, and the reader's way along links. */
interface Surroundings {
  readonly images: Readonly<Record<string, string>>;
  readonly onOpen: (to: LinkGoal) => void;
  /** True if a browser opens addresses outside, in a tab. */
  readonly inTabs: boolean;
}

/** The blocks of a page. */
export function Blocks({ blocks, ...around }: { blocks: readonly Block[] } & Surroundings): ReactNode {
  // A page never changes while it is drawn.
  return blocks.map((block, at) => <BlockView key={at} block={block} {...around} />);
}

function BlockView({ block, ...around }: { block: Block } & Surroundings): ReactNode {
  switch (block.kind) {
    case 'heading':
      // The help's own title is the first level.
      return createElement(
        `h${Math.min(block.level + 1, 6)}`,
        { id: headingId(block.id), tabIndex: -1, className: styles[`level${block.level}`] },
        <Text nodes={block.text} {...around} />,
      );
    case 'paragraph':
      return (
        <p>
          <Text nodes={block.text} {...around} />
        </p>
      );
    case 'code':
      return (
        <div className={styles.code}>
          <pre>{block.text}</pre>
          <CopyButton small side="left" label="Copy code" text={block.text} />
        </div>
      );
    case 'quote':
      return (
        <blockquote className={styles.quote}>
          <Blocks blocks={block.blocks} {...around} />
        </blockquote>
      );
    case 'list': {
      const items = block.items.map((item, at) => (
        <li key={at}>
          <Blocks blocks={item} {...around} />
        </li>
      ));
      return block.start === null ? (
        <ul className={styles.list}>{items}</ul>
      ) : (
        <ol className={styles.list} start={block.start}>
          {items}
        </ol>
      );
    }
    case 'table':
      return <TableView table={block} {...around} />;
  }
}

function TableView({ table, ...around }: { table: Extract<Block, { kind: 'table' }> } & Surroundings) {
  return (
    <div
      className={styles.table}
      role="region"
      aria-label={`Table: ${table.head.map(plainText).join(', ')}`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- wider than a narrow window, it scrolls by itself, by keys too
      tabIndex={0}
    >
      <table className="plain-table small">
        <thead>
          <tr>
            {table.head.map((cell, at) => (
              <th key={at} scope="col">
                <Text nodes={cell} {...around} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, column) => (
                <td key={column}>
                  <Text nodes={cell} {...around} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Text({ nodes, ...around }: { nodes: readonly Inline[] } & Surroundings): ReactNode {
  return nodes.map((node, at) => (
    <Fragment key={at}>
      <InlineView node={node} {...around} />
    </Fragment>
  ));
}

function InlineView({ node, ...around }: { node: Inline } & Surroundings): ReactNode {
  if (typeof node === 'string') return node;
  switch (node.kind) {
    case 'code':
      return <code className={styles.inline}>{node.text}</code>;
    case 'strong':
      return (
        <strong>
          <Text nodes={node.text} {...around} />
        </strong>
      );
    case 'em':
      return (
        <em>
          <Text nodes={node.text} {...around} />
        </em>
      );
    case 'link':
      return (
        <Link to={node.to} {...around}>
          <Text nodes={node.text} {...around} />
        </Link>
      );
    case 'image':
      return <Picture image={node} images={around.images} />;
  }
}

function Link({ to, onOpen, inTabs, children }: { to: LinkGoal; children: ReactNode } & Surroundings) {
  if ('url' in to && inTabs) {
    return (
      <a href={to.url} target="_blank" rel="noreferrer noopener">
        {children}
      </a>
    );
  }
  // The address only makes it a link, and names the file: a tab of its own would have no session, and the desktop has none.
  const stop = (event: { preventDefault: () => void }) => event.preventDefault();
  return (
    <a
      href={'url' in to ? to.url : `docs/${to.page}.md${to.heading === null ? '' : `#${to.heading}`}`}
      onAuxClick={stop}
      onClick={(event) => {
        stop(event);
        onOpen(to);
      }}
    >
      {children}
    </a>
  );
}

/** The picture of the theme; the other one is not fetched. */
function Picture({ image, images }: { image: Extract<Inline, { kind: 'image' }>; images: Surroundings['images'] }) {
  return (image.dark === null ? [image.light] : [image.light, image.dark]).map(({ file, width, height }) => (
    <img
      key={file}
      className={image.dark === null ? styles.picture : file === image.dark.file ? styles.dark : styles.light}
      src={images[file]}
      width={width}
      height={height}
      alt={image.alt}
      loading="lazy"
    />
  ));
}
