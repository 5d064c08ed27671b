import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { PortDot } from '@/components/type-icon'
import { useSession, useView } from '@/document/use-session'
import { nameEnd, titleOf } from '@/graph/connect'
import { findNode, formatEnd } from '@/graph/document'
import type { EdgeDropOption } from '@/graph/edge-drop'
import { classes } from '@/lib/classes'
import { typeLabel } from '@/lib/humanize'
import { connectWithNotice } from '../interactions/replacement-notice'
import { useEdgeDropPreview } from '../interactions/use-edge-drop-preview'

/** Says, above the card under the pointer, what releasing the edge there does. */
export function EdgeDropNotice() {
  useEdgeDropPreview()
  const edgeDrop = useView((view) => view.edgeDrop)
  if (!edgeDrop) return null
  const left = Math.max(130, Math.min(edgeDrop.screen.x, window.innerWidth - 130))
  return (
    <div
      role="status"
      data-edge-drop={edgeDrop.tone}
      style={{ left, top: Math.max(8, edgeDrop.screen.y - 38) }}
      className={classes(
        'pointer-events-none fixed z-30 max-w-[340px] -translate-x-1/2 rounded-pill border bg-surface px-3 py-1 text-sm shadow-float',
        edgeDrop.tone === 'plain' && 'border-hairline',
        edgeDrop.tone === 'replaces' && 'border-ochre text-ochre-text',
        edgeDrop.tone === 'refused' && 'border-madder text-madder-text',
      )}
    >
      {edgeDrop.words}
    </div>
  )
}

const WIDTH = 288

/** Asks which port or setting of a card an edge goes to. */
export function EdgeDropChooser() {
  const choice = useView((view) => view.choice)
  const { t } = useTranslation('canvas')
  const session = useSession()
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (choice) list.current?.querySelector<HTMLElement>('button')?.focus()
  }, [choice])
  if (!choice) return null
  const node = findNode(session.document, choice.node)
  if (!node) return null
  const close = () => {
    session.view.setState({ choice: null })
    session.viewport?.focusNode(choice.node)
  }
  const left = Math.max(12, Math.min(choice.screen.x, window.innerWidth - WIDTH - 12))
  const top = Math.max(12, Math.min(choice.screen.y, window.innerHeight - 320))
  const label = t('edgeDrop.choose', { node: titleOf(node, session.catalog) })
  return (
    <>
      <div aria-hidden className="fixed inset-0 z-30" onPointerDown={close} />
      <div
        ref={list}
        role="dialog"
        aria-label={label}
        style={{ left, top, width: WIDTH }}
        onKeyDown={(event) => {
          event.stopPropagation()
          if (event.key === 'Escape') close()
          const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
          if (step === 0) return
          event.preventDefault()
          const all = [...(list.current?.querySelectorAll('button') ?? [])]
          const at = all.indexOf(document.activeElement as HTMLButtonElement)
          all.at((at + step) % all.length)?.focus()
        }}
        className="scrollbar-quiet fixed z-40 max-h-[310px] animate-appear overflow-y-auto rounded-l border border-hairline bg-surface p-2 shadow-float"
      >
        <p className="px-2 pt-1 pb-2 font-semibold text-sm">{label}</p>
        {choice.options.map((option) => (
          <Option
            key={`${formatEnd(option.from)} ${formatEnd(option.to)}`}
            option={option}
            onPick={() => {
              connectWithNotice(session, option.from, option.to)
              close()
            }}
          />
        ))}
      </div>
    </>
  )
}

function Option({ option, onPick }: { option: EdgeDropOption; onPick: () => void }) {
  const { t } = useTranslation('canvas')
  const { t: keys } = useTranslation('keyboard')
  const { document, catalog } = useSession()
  const { port, becomes, replaces } = option
  const notes = [
    port.kind === 'setting' && t('edgeDrop.setting'),
    becomes && keys('connect.converted', { type: typeLabel(becomes) }),
    replaces && keys('connect.replaces', { title: nameEnd(document, catalog, replaces.from, 'source').node }),
  ].filter(Boolean)
  return (
    <button
      type="button"
      onClick={onPick}
      className="flex min-h-9 w-full items-center gap-2.5 rounded-s px-2 py-1 text-left hover:bg-sunken focus-visible:bg-sunken"
    >
      <PortDot type={port.type} list={port.list} />
      <span className="min-w-0 flex-1 break-words">
        <span className="font-medium">{port.title}</span>
        {notes.length > 0 && <span className="block text-muted text-xs">{notes.join(' · ')}</span>}
      </span>
    </button>
  )
}
