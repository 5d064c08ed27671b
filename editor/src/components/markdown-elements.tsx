import ReactMarkdown from 'react-markdown'

/** The elements of a Markdown text, without a frame. */
export function MarkdownElements({ children }: { children: string }) {
  return (
    <ReactMarkdown
      components={{
        a: ({ node: _, ...link }) => <a target="_blank" rel="noreferrer noopener" {...link} />,
      }}
    >
      {children}
    </ReactMarkdown>
  )
}
