import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { insertNode } from '@/document/actions'
import { insertConnectedNode } from '@/document/edge-actions'
import { useSession, useView } from '@/document/use-session'
import type { PaletteRequest } from '@/document/view-store'
import { CARD_SIZE } from '@/graph/card-size'
import type { NodeType } from '@/graph/catalog'
import { findNode } from '@/graph/document'
import { type LooseEnd, sections } from '@/graph/node-search'
import { describePort, portAt } from '@/graph/ports'
import { bestMatch, onEnter } from './enter-key'
import { NodeList } from './node-list'

const POPOVER_SIZE = { width: 248, height: 360 }

/** The palette at the point where an edge was dropped, with the types that fit it. */
export function PalettePopover() {
  const request = useView((view) => view.palette)
  return request && <Popup key={`${request.screen.x},${request.screen.y}`} request={request} />
}

function Popup({ request }: { request: PaletteRequest }) {
  const { t } = useTranslation('palette')
  const session = useSession()
  const [query, setQuery] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const panel = useRef<HTMLElement>(null)
  const { catalog } = session
  const loose = useMemo(() => looseEndOf(session, request), [session, request])
  const found = useMemo(() => sections(catalog, query, loose), [catalog, query, loose])
  useEffect(() => field.current?.focus(), [])
  const close = () => session.view.setState({ palette: null })
  const giveUp = () => {
    close()
    if (request.from) session.viewport?.focusNode(request.from.end.node)
  }
  const pick = (type: NodeType) => {
    close()
    const backwards = request.from?.side === 'target'
    const at = { x: request.at.x - (backwards ? CARD_SIZE.width : 0), y: request.at.y - 50 }
    if (request.from) insertConnectedNode(session, type, at, request.from)
    else insertNode(session, type, at)
  }
  const left = Math.max(12, Math.min(request.screen.x, window.innerWidth - POPOVER_SIZE.width - 12))
  const top = Math.max(12, Math.min(request.screen.y, window.innerHeight - POPOVER_SIZE.height - 12))
  return (
    <section
      ref={panel}
      aria-label={loose ? t(`compatible.${loose.side}`, { type: describePort(loose) }) : t('label')}
      style={{ left, top, width: POPOVER_SIZE.width, maxHeight: POPOVER_SIZE.height }}
      className="pointer-events-auto fixed z-30 flex animate-appear flex-col rounded-l border border-hairline bg-surface p-2.5 shadow-float"
    >
      {loose && (
        <p className="px-1.5 pb-2 text-muted text-xs">
          {t(`compatible.${loose.side}`, { type: describePort(loose) })}
        </p>
      )}
      <input
        ref={field}
        type="search"
        aria-label={t('search')}
        placeholder={t('search')}
        value={query}
        onChange={(event) => setQuery(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onEnter(event, bestMatch(found), panel.current, pick)
          if (event.key === 'Escape') giveUp()
        }}
        className="h-9 w-full flex-none rounded-field border border-hairline-strong bg-surface px-3 focus-visible:field-focus"
      />
      <NodeList sections={found} onPick={pick} query={query} />
    </section>
  )
}

function looseEndOf(session: ReturnType<typeof useSession>, { from }: PaletteRequest): LooseEnd | null {
  if (!from) return null
  const port = portAt(findNode(session.document, from.end.node), session.catalog, from.end, from.side)
  return port ? { type: port.type, list: port.list, side: from.side } : null
}
