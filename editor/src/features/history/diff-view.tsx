import { type Edge, Handle, type Node, type NodeProps, Position } from '@xyflow/react'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Menu, MenuItem } from '@/components/menu'
import type { Catalog, NodeType } from '@/graph/catalog'
import { titleOf } from '@/graph/connect'
import { diff, type FlowDiff, type NodeChange } from '@/graph/diff'
import { edgeId, type FlowDocument, type FlowEdge, type FlowNode, parseEnd } from '@/graph/document'
import { describeSettings, formatValue, settingAt } from '@/graph/setting-fields'
import type { PublishedVersion } from '@/lib/api/drafts'
import { classes } from '@/lib/classes'
import { colorOfType, colorVariable } from '@/lib/type-colors'
import { versionName } from './version-names'

export type DiffStatus = 'added' | 'removed' | 'changed' | 'unchanged'

export type DiffNode = Node<
  { title: string; summary: string; mark: DiffStatus; changes: DiffRow[] | null },
  'compared'
>

/** One changed part of a node, as text. */
interface DiffRow {
  readonly key: string
  /** The title of a setting; the node's own name and type have a key of the catalog of texts. */
  readonly label: string | { readonly text: 'name' | 'type' | 'exposed' }
  readonly before: string
  readonly after: string
}

export interface DiffElements {
  readonly changes: FlowDiff
  readonly nodes: DiffNode[]
  readonly edges: Edge[]
}

const WIDTH = 230
const HEIGHT = 90

/** Descriptions of the changes for screen readers. */
export interface DiffText {
  readonly node: (title: string, mark: DiffStatus) => string
  readonly edge: (from: string, to: string, mark: DiffStatus) => string
}

/** Both documents on one canvas: added, removed and changed nodes. */
export function diffElements(
  before: FlowDocument,
  after: FlowDocument,
  catalog: Catalog,
  says: DiffText,
): DiffElements {
  const changes = diff(before, after)
  const removed = new Set(changes.nodes.removed)
  const gone = before.nodes.filter((node) => removed.has(node.id))
  const marks = marksOf(changes)
  const nodes = [...after.nodes, ...gone].map((node) => diffNode(node, marks, changes, catalog, says))
  const known = new Set(changes.edges.added.map(edgeId))
  const edges = [
    ...after.edges.map((edge) =>
      diffEdge(edge, known.has(edgeId(edge)) ? 'added' : 'unchanged', after, catalog, says),
    ),
    ...changes.edges.removed.map((edge) => diffEdge(edge, 'removed', before, catalog, says)),
  ]
  return { changes, nodes, edges }
}

function marksOf({ nodes }: FlowDiff): Map<string, DiffStatus> {
  return new Map<string, DiffStatus>([
    ...nodes.added.map((id) => [id, 'added'] as const),
    ...nodes.removed.map((id) => [id, 'removed'] as const),
    ...nodes.changed.map(({ id }) => [id, 'changed'] as const),
  ])
}

function diffNode(
  node: FlowNode,
  marks: ReadonlyMap<string, DiffStatus>,
  changes: FlowDiff,
  catalog: Catalog,
  says: DiffText,
): DiffNode {
  const type = catalog.typeOf(node)
  const title = titleOf(node, catalog)
  const mark = marks.get(node.id) ?? 'unchanged'
  const change = changes.nodes.changed.find(({ id }) => id === node.id)
  const middle = { y: 34, width: 1, height: 1 }
  return {
    id: node.id,
    type: 'compared',
    position: node.position,
    // Sizes are set in advance: nodes that have not been rendered are not measured and would be left out of the fit.
    measured: { width: WIDTH, height: HEIGHT },
    handles: [
      { type: 'target', position: Position.Left, x: 0, ...middle },
      { type: 'source', position: Position.Right, x: WIDTH, ...middle },
    ],
    ariaRole: 'article',
    ariaLabel: says.node(title, mark),
    data: {
      title,
      summary: type ? describeSettings(node, type) : node.type,
      mark,
      changes: change ? diffRows(change, type, catalog) : null,
    },
  }
}

function diffEdge(
  edge: FlowEdge,
  mark: DiffStatus,
  document: FlowDocument,
  catalog: Catalog,
  says: DiffText,
): Edge {
  const [from, to] = [parseEnd(edge.from), parseEnd(edge.to)]
  const source = document.nodes.find((node) => node.id === from.node)
  const target = document.nodes.find((node) => node.id === to.node)
  const port = source && catalog.typeOf(source)?.outputs.find(({ name }) => name === from.port)
  const plain = colorVariable[colorOfType(port?.type ?? 'Any')]
  const stroke = mark === 'added' ? 'var(--viridian)' : mark === 'removed' ? 'var(--madder)' : plain
  return {
    id: `${mark} ${edgeId(edge)}`,
    source: from.node,
    target: to.node,
    ariaLabel: says.edge(
      source ? titleOf(source, catalog) : from.node,
      target ? titleOf(target, catalog) : to.node,
      mark,
    ),
    style: { stroke, strokeWidth: 2.2, ...(mark === 'removed' && { strokeDasharray: '6 6' }) },
  }
}

const looks = {
  added: 'outline-2 outline-viridian outline-offset-2',
  removed: 'outline-2 outline-madder outline-dashed outline-offset-2',
  changed: 'outline-2 outline-ochre outline-offset-2',
  unchanged: '',
} as const

const tags = {
  added: 'bg-viridian-text',
  removed: 'bg-madder-text',
  changed: 'bg-ochre-text',
} as const

/** A node of a comparison, its change shown by text and outline. */
export const DiffCard = memo(function ComparedCard({ data }: NodeProps<DiffNode>) {
  const { t } = useTranslation('history')
  const { title, summary, mark, changes } = data
  return (
    <div
      className={classes(
        'relative w-[230px] rounded-[14px] border border-hairline bg-surface p-3 text-[12.5px] text-muted shadow-card',
        looks[mark],
      )}
    >
      <Handle
        type="target"
        position={Position.Left}
        isConnectable={false}
        className="!opacity-0"
        style={{ top: 34 }}
      />
      <Handle
        type="source"
        position={Position.Right}
        isConnectable={false}
        className="!opacity-0"
        style={{ top: 34 }}
      />
      {mark !== 'unchanged' && (
        <span
          className={classes(
            'absolute -top-[11px] right-3 rounded-pill px-2 py-0.5 font-semibold text-micro text-paper',
            tags[mark],
          )}
        >
          {t(mark)}
        </span>
      )}
      <h3
        className={classes('mb-[5px] font-semibold text-base text-ink', mark === 'removed' && 'text-muted')}
      >
        {title}
      </h3>
      {changes ? (
        <Changes rows={changes} />
      ) : (
        <p className="line-clamp-2">{mark === 'unchanged' ? t('unchanged') : summary}</p>
      )}
    </div>
  )
})

function diffRows(change: NodeChange, type: NodeType | undefined, catalog: Catalog): DiffRow[] {
  const typeTitle = (id: string) => catalog.type(id)?.title ?? id
  const rows: DiffRow[] = change.settings.map(({ path, before, after }) => {
    const { title, schema } = settingAt(type, path)
    const label = path === 'exposed' ? ({ text: 'exposed' } as const) : title
    return { key: path, label, before: formatValue(schema, before), after: formatValue(schema, after) }
  })
  if (change.type) {
    const { before, after } = change.type
    rows.unshift({
      key: '$type',
      label: { text: 'type' },
      before: typeTitle(before),
      after: typeTitle(after),
    })
  }
  if (change.title) rows.unshift({ key: '$name', label: { text: 'name' }, ...change.title })
  return rows
}

function Changes({ rows }: { rows: readonly DiffRow[] }) {
  const { t } = useTranslation('history')
  return (
    <ul className="whitespace-pre-line break-words text-[11.5px] leading-[1.7]">
      {rows.map(({ key, label, before, after }) => {
        const name = typeof label === 'string' ? label : t(label.text)
        return (
          <li key={key}>
            {name} {before && <del className="text-madder-text">{shorten(before)}</del>}{' '}
            {after && <ins className="text-viridian-text no-underline">{shorten(after)}</ins>}
          </li>
        )
      })}
    </ul>
  )
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 78)}…` : text
}

type ComparedVersionsProps = {
  versions: readonly PublishedVersion[]
  base: string
  other: string
  onOther: (ref: string) => void
  className?: string
}

/** The two compared versions; the later one can be changed. */
export function ComparedVersions({ versions, base, other, onOther, className }: ComparedVersionsProps) {
  const { t } = useTranslation('history')
  const rest = ['draft', ...versions.map(({ ref }) => ref)].filter((ref) => ref !== base)
  return (
    <div className={classes('flex min-w-0 items-center gap-2', className)}>
      <span className="text-muted text-xs">{t('comparing')}</span>
      <strong className="min-w-0 truncate font-semibold">{versionName(base, versions, t)}</strong>
      <ChevronRight aria-hidden className="size-4 flex-none text-muted" />
      <Menu
        className="scrollbar-quiet max-h-72 overflow-y-auto"
        trigger={
          <Button
            size="sm"
            variant="ghost"
            aria-label={t('compareWith', { name: versionName(other, versions, t) })}
          >
            {versionName(other, versions, t)}
            <ChevronDown className="text-muted" />
          </Button>
        }
      >
        {rest.map((ref) => (
          <MenuItem key={ref} onSelect={() => onOther(ref)}>
            {versionName(ref, versions, t)}
          </MenuItem>
        ))}
      </Menu>
    </div>
  )
}
