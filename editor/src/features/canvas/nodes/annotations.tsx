import { type NodeProps, NodeResizer } from '@xyflow/react'
import { memo, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Markdown } from '@/components/markdown'
import { useDocument, useSession, useView } from '@/document/use-session'
import { groupsOf, notesOf } from '@/graph/document'
import { changeGroup, changeNote, MIN_NOTE_SIZE } from '@/graph/edits/annotations'
import { classes } from '@/lib/classes'
import { type GroupNode, labelId, type NoteNode } from '../interactions/canvas-elements'

/** Maximum length of a note's accessible name, in characters. */
const MAX_LABEL_CHARACTERS = 120

/** A note: text for the authors of the agent, never part of a run. */
export const NoteCard = memo(function NoteCard({ id, data, selected = false }: NodeProps<NoteNode>) {
  const { t } = useTranslation('canvas')
  const { t: words } = useTranslation('keyboard')
  const session = useSession()
  const note = useDocument((flow) => notesOf(flow).find((one) => one.id === id)) ?? data.note
  const change = (part: Partial<typeof note>, gesture?: string) =>
    session.edit((document) => changeNote(document, id, part), gesture)
  const text = useRef<HTMLTextAreaElement>(null)
  const isNew = useView((view) => view.typing === id)
  useEffect(() => {
    if (!isNew) return
    text.current?.focus({ preventScroll: true })
    session.view.setState({ typing: null })
  }, [isNew, session])
  return (
    <>
      <NodeResizer
        isVisible={selected && session.canEdit}
        minWidth={MIN_NOTE_SIZE.width}
        minHeight={MIN_NOTE_SIZE.height}
        lineClassName="!border-transparent"
        handleClassName="!size-2.5 !rounded-pill !border-ochre !bg-surface"
        onResizeEnd={(_, { x, y, width, height }) =>
          change({
            position: { x: Math.round(x), y: Math.round(y) },
            size: { width: Math.round(width), height: Math.round(height) },
          })
        }
      />
      <div
        className={classes(
          'node-card relative size-full rounded-m border border-ochre/35 bg-[color-mix(in_srgb,var(--ochre)_12%,var(--surface))] p-3 shadow-card',
          selected && 'outline-2 outline-cobalt outline-offset-2',
        )}
      >
        <span id={labelId(id)} hidden>
          {note.text.trim()
            ? words('node.note', { text: note.text.slice(0, MAX_LABEL_CHARACTERS) })
            : words('node.emptyNote')}
        </span>
        {!selected && note.text.trim() && (
          <div aria-hidden className="pointer-events-none absolute inset-3 overflow-hidden text-sm">
            <Markdown className="space-y-1.5 leading-snug">{note.text}</Markdown>
          </div>
        )}
        <textarea
          ref={text}
          aria-label={t('note.label')}
          placeholder={t('note.placeholder')}
          value={note.text}
          readOnly={!session.canEdit}
          onChange={(event) => change({ text: event.target.value }, `note:${id}`)}
          onBlur={() => session.flow.settle()}
          className={classes(
            'size-full resize-none rounded-xs bg-transparent text-ink text-sm leading-snug outline-offset-2',
            selected ? 'nodrag nowheel' : 'pointer-events-none',
            !selected && note.text.trim() && 'opacity-0',
          )}
        />
      </div>
    </>
  )
})

/** A titled group around nodes. Dragging it moves them all. */
export const GroupFrame = memo(function GroupFrame({ id, data, selected = false }: NodeProps<GroupNode>) {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const group = useDocument((flow) => groupsOf(flow).find((one) => one.id === id)) ?? data.group
  return (
    <section
      id={labelId(id)}
      aria-label={t('group.label', { title: group.title })}
      className={classes(
        'node-card size-full rounded-xl border border-hairline-strong bg-sunken/55',
        selected && 'outline-2 outline-cobalt outline-offset-2',
      )}
    >
      <input
        aria-label={t('group.name')}
        value={group.title}
        readOnly={!session.canEdit}
        onChange={(event) =>
          session.edit((document) => changeGroup(document, id, { title: event.target.value }), `group:${id}`)
        }
        onBlur={() => session.flow.settle()}
        style={{ width: `${Math.max(6, group.title.length + 2)}ch` }}
        className={classes(
          'm-2 max-w-[calc(100%-16px)] rounded-s bg-transparent px-2 py-1 font-semibold text-[12.5px] text-muted outline-none focus-visible:field-focus',
          selected ? 'nodrag' : 'pointer-events-none',
        )}
      />
    </section>
  )
})
