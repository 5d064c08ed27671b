import { Puzzle, Search, TriangleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { lazyPart } from '@/components/lazy-part'
import { Kbd } from '@/components/tooltip'
import { insertBesideSelected, insertNode } from '@/document/actions'
import { useDocument, useSession, useView } from '@/document/use-session'
import type { NodeType } from '@/graph/catalog'
import { titleOf } from '@/graph/connect'
import { findNode } from '@/graph/document'
import { sections } from '@/graph/node-search'
import { readingOrder } from '@/graph/reading-order'
import { classes } from '@/lib/classes'
import { hasSingleKeyShortcuts } from '@/lib/single-key-shortcuts'
import { bestMatch, focusList, onEnter } from './enter-key'
import { NodeList } from './node-list'

const PluginsDialog = lazyPart(() => import('./plugins-dialog').then((file) => file.PluginsDialog))

type PaletteProps = {
  /** Called after a node was added; closes a palette that is over the canvas. */
  onPicked?: () => void
  /** Content beside the search field. */
  aside?: ReactNode
  autoFocus?: boolean
  className?: string
}

/** All node types: search with `/`, press or drag one onto the canvas. */
export function Palette({ onPicked, aside, autoFocus = false, className }: PaletteProps) {
  const { t } = useTranslation('palette')
  const { t: words } = useTranslation('keyboard')
  const session = useSession()
  const [query, setQuery] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  // The element that had the focus when `/` was pressed.
  const previousFocus = useRef<HTMLElement | null>(null)
  const found = useMemo(() => sections(session.catalog, query, null), [session.catalog, query])
  useSlashKey(() => {
    if (document.activeElement !== field.current)
      previousFocus.current = document.activeElement as HTMLElement | null
    field.current?.focus()
    field.current?.select()
  })
  useEffect(() => {
    if (autoFocus) field.current?.focus()
  }, [autoFocus])
  const pick = (type: NodeType, isAlone = false) => {
    if (isAlone) insertNode(session, type)
    else insertBesideSelected(session, type)
    setQuery('')
    onPicked?.()
  }
  /** Returns the focus to that element, or to the cards. */
  const returnFocusToCaller = () => {
    const { document, view, viewport } = session
    const card = view.getState().nodes[0] ?? readingOrder(document)[0]
    field.current?.blur()
    if (previousFocus.current?.isConnected && previousFocus.current !== window.document.body)
      previousFocus.current.focus()
    else if (card) viewport?.focusNode(card)
  }
  const best = bestMatch(found)
  const count = found.reduce((sum, { types }) => sum + types.length, 0)
  const { broken, plugins = [], refused = [] } = session.catalog.data
  const [showsPlugins, setShowsPlugins] = useState(false)
  return (
    <section
      data-region="palette"
      aria-label={t('label')}
      className={classes(
        'pointer-events-auto flex min-h-0 flex-col rounded-l border border-hairline bg-surface p-3 shadow-card',
        className,
      )}
    >
      <div className="flex flex-none items-center gap-2">
        <div className="relative min-w-0 flex-1">
          <Search aria-hidden className="pointer-events-none absolute top-2.5 left-3 size-4 text-faint" />
          <input
            ref={field}
            type="search"
            aria-label={t('search')}
            placeholder={t('search')}
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'ArrowDown') {
                event.preventDefault()
                focusList(list.current)
              }
              if (event.key === 'Enter' && query)
                onEnter(event, best, list.current, (type) => pick(type, event.shiftKey))
              if (event.key === 'Escape') {
                setQuery('')
                returnFocusToCaller()
              }
            }}
            className="h-9 w-full rounded-field border border-hairline-strong bg-surface pr-9 pl-9 focus-visible:field-focus [&::-webkit-search-cancel-button]:hidden"
          />
          <Kbd className="pointer-events-none absolute top-2 right-2.5 pointer-coarse:hidden">/</Kbd>
        </div>
        {aside}
      </div>
      <p role="status" className="sr-only">
        {query &&
          best.first &&
          words(best.isNear ? 'foundNear' : 'found', { count, title: best.first.title })}
      </p>
      <div ref={list} className="flex min-h-0 flex-1 flex-col">
        <NodeList sections={found} onPick={(type) => pick(type)} draggable query={query} />
      </div>
      <ConnectHint />
      <PluginNote
        details={broken.map(({ name, error }) => `${name}: ${error}`)}
        text={t('pluginErrors', { count: broken.length })}
      />
      <PluginNote
        details={refused.map(({ package: name, reason }) => `${name}: ${reason}`)}
        text={t('pluginsRefused', { count: refused.length })}
      />
      {plugins.length + refused.length + broken.length > 0 && (
        <>
          <Button
            variant="ghost"
            size="sm"
            className="mt-1.5 flex-none self-start text-muted"
            onClick={() => setShowsPlugins(true)}
          >
            <Puzzle aria-hidden />
            {t('plugins.about')}
          </Button>
          {showsPlugins && (
            <PluginsDialog catalog={session.catalog.data} onClose={() => setShowsPlugins(false)} />
          )}
        </>
      )}
    </section>
  )
}

/** Says that a new node is connected to the selected one. */
function ConnectHint() {
  const { t } = useTranslation('palette')
  const { catalog } = useSession()
  const chosen = useView((view) => (view.nodes.length === 1 ? view.nodes[0] : undefined))
  const title = useDocument((flow) => {
    const node = chosen && findNode(flow, chosen)
    return node ? titleOf(node, catalog) : null
  })
  if (!title) return null
  return (
    <p className="wrap-anywhere mt-2 flex-none border-hairline border-t px-1.5 pt-2 text-muted text-xs leading-relaxed">
      {t('connects', { title })} <Kbd>{t('connectsNot')}</Kbd>
    </p>
  )
}

/** What was not loaded; the title has a line for each plugin. */
function PluginNote({ details, text }: { details: readonly string[]; text: string }) {
  if (details.length === 0) return null
  return (
    <p
      className="mt-2 flex flex-none items-center gap-2 rounded-s bg-sunken px-2.5 py-2 text-ochre-text text-xs"
      title={details.join('\n')}
    >
      <TriangleAlert aria-hidden className="size-4" />
      {text}
    </p>
  )
}

const TEXT_INPUTS =
  'input, textarea, select, [contenteditable=true], [role=dialog], [role=menu], [role=listbox]'

/** `/` focuses the search, except from a field or dialog. */
export function useSlashKey(called: () => void) {
  const latest = useRef(called)
  latest.current = called
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const typing = event.target instanceof Element && event.target.closest(TEXT_INPUTS)
      if (
        event.key !== '/' ||
        typing ||
        !hasSingleKeyShortcuts() ||
        event.ctrlKey ||
        event.metaKey ||
        event.defaultPrevented
      )
        return
      event.preventDefault()
      latest.current()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
