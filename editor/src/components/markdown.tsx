import { classes } from '@/lib/classes'
import { lazyPart } from './lazy-part'

/** The code that reads Markdown. Until it is there, the text is shown as it was written. */
export const loadMarkdown = () => import('./markdown-elements')

const Elements = lazyPart<{ children: string }>(
  async () => (await loadMarkdown()).MarkdownElements,
  ({ children }) => <p className="whitespace-pre-wrap">{children}</p>,
)

/** Renders Markdown of a model or of a node's help. Raw HTML is shown as text; links open in a new tab. */
export function Markdown({ children, className }: { children: string; className?: string }) {
  return (
    <div
      className={classes(
        'space-y-2.5 leading-relaxed [&_a]:text-cobalt-text [&_a]:underline [&_blockquote]:border-hairline-strong [&_blockquote]:border-l-2 [&_blockquote]:pl-3 [&_blockquote]:text-muted [&_code]:rounded-xs [&_code]:bg-sunken [&_code]:px-1 [&_code]:font-mono [&_code]:text-[0.9em] [&_h1]:font-serif [&_h1]:text-title [&_h2]:font-serif [&_h2]:text-[22px] [&_h3]:font-semibold [&_li]:ml-5 [&_ol>li]:list-decimal [&_pre]:overflow-x-auto [&_pre]:rounded-s [&_pre]:bg-sunken [&_pre]:p-3 [&_ul>li]:list-disc',
        className,
      )}
    >
      <Elements>{children}</Elements>
    </div>
  )
}
