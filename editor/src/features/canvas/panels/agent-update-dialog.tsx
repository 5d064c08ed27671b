import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { LoadError } from '@/components/load-error'
import { selectedNode } from '@/document/actions'
import { updateAgents } from '@/document/agent-actions'
import { toastWithUndo } from '@/document/undo-toast'
import { useCatalog, useDocument, useSession, useView } from '@/document/use-session'
import {
  type AgentUpdate,
  type Losses,
  lossesOf,
  outdatedNodes,
  portChanges,
  updateOf,
} from '@/graph/agent-updates'
import type { Catalog } from '@/graph/catalog'
import { titleOf } from '@/graph/connect'
import { diff } from '@/graph/diff'
import { type FlowDocument, findNode, parseEnd } from '@/graph/document'
import { parseDocument } from '@/graph/parse'
import { portsOf } from '@/lib/agents/agent-ports'
import { isApiError } from '@/lib/api/error'
import { flowQuery } from '@/lib/api/flows'
import { versionPortsQuery, versionQuery } from '@/lib/api/versions'

/** What a newer version of the agent that the selected node runs would change, and the update itself. */
export function AgentUpdateDialog() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const catalog = useCatalog()
  const open = useView((state) => state.dialog === 'agentUpdate')
  const document = useDocument((flow) => flow)
  const node = open ? selectedNode(session) : undefined
  const update = node && updateOf(node, catalog)
  return (
    <Dialog
      open={Boolean(update)}
      onOpenChange={() => session.view.open(null)}
      title={t('agentUpdate.title', { title: node ? titleOf(node, catalog) : '' })}
      description={update && t('agentUpdate.text', { from: update.from, to: update.to })}
      size="sm"
    >
      {node && update && <Content id={node.id} update={update} document={document} />}
    </Dialog>
  )
}

type ContentProps = { id: string; update: AgentUpdate; document: FlowDocument }

function Content({ id, update, document }: ContentProps) {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const catalog = useCatalog()
  const { flow, from, to } = update
  const ports = [useQuery(versionPortsQuery(flow, `${from}`)), useQuery(versionPortsQuery(flow, `${to}`))]
  const versions = [useQuery(versionQuery(flow, `${from}`)), useQuery(versionQuery(flow, `${to}`))]
  const { data: agent } = useQuery(flowQuery(flow))
  const [after, newest] = [ports[1]?.data, versions[1]]
  const all = [...ports, ...versions]
  // Of a version that was withdrawn, or that can be read no more, only what the newer one is can be said.
  const isGone = (error: Error | null) =>
    isApiError(error) && error.status >= 400 && error.status < 500 && error.status !== 429
  if (ports[1]?.isError || newest?.isError || all.some(({ isError, error }) => isError && !isGone(error))) {
    const again = () => {
      for (const query of all) if (query.isError) void query.refetch()
    }
    return <LoadError text={t('agentUpdate.failed')} onRetry={again} />
  }
  const isLoading = all.some((query) => query.isPending)
  if (isLoading || !after || !newest?.data) {
    return (
      <p role="status" className="text-muted">
        {t('agentUpdate.loading')}
      </p>
    )
  }
  const others = outdatedNodes(document, catalog, update)
  const apply = (nodes: readonly string[]) => {
    session.view.open(null)
    updateAgents(session, nodes, update, portsOf(after))
    toastWithUndo(session, { title: t('agentUpdate.done', { name: agent?.name ?? '', number: to }) })
  }
  const [old, fresh] = [ports[0]?.data, newest.data.flow]
  const before = versions[0]?.data?.flow
  return (
    <>
      {newest.data.note && <p className="wrap-anywhere whitespace-pre-line">{newest.data.note}</p>}
      {old && before ? (
        <Changes
          lines={changesOf(
            portsOf(old),
            portsOf(after),
            parseDocument(before),
            parseDocument(fresh),
            catalog,
          )}
        />
      ) : (
        <p className="text-muted">{t('agentUpdate.oldGone', { number: from })}</p>
      )}
      <Lost losses={lossesOf(document, id, portsOf(after))} node={id} document={document} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={() => session.view.open(null)}>{t('agentUpdate.notNow')}</Button>
        {others.length > 1 && (
          <Button onClick={() => apply(others)}>{t('agentUpdate.all', { count: others.length })}</Button>
        )}
        <Button variant="primary" onClick={() => apply([id])}>
          {t('agentUpdate.update')}
        </Button>
      </div>
    </>
  )
}

type Line = { readonly what: LineKey; readonly titles: readonly string[] }
const LINES = [
  'portsAdded',
  'portsRemoved',
  'portsChanged',
  'stepsAdded',
  'stepsRemoved',
  'stepsChanged',
] as const
type LineKey = (typeof LINES)[number]
type Ports = ReturnType<typeof portsOf>

/** The differences of two versions, by the titles of what they are about. */
function changesOf(
  old: Ports,
  fresh: Ports,
  before: FlowDocument,
  after: FlowDocument,
  catalog: Catalog,
): Line[] {
  const ports = portChanges(old, fresh)
  const { nodes } = diff(before, after)
  const title = (flow: FlowDocument) => (id: string) => {
    const node = findNode(flow, id)
    return node ? titleOf(node, catalog) : id
  }
  const found: Record<LineKey, readonly string[]> = {
    portsAdded: ports.added,
    portsRemoved: ports.removed,
    portsChanged: ports.changed,
    stepsAdded: nodes.added.map(title(after)),
    stepsRemoved: nodes.removed.map(title(before)),
    stepsChanged: nodes.changed.map(({ id }) => title(after)(id)),
  }
  return LINES.flatMap((what) => (found[what].length > 0 ? [{ what, titles: found[what] }] : []))
}

function Changes({ lines }: { lines: readonly Line[] }) {
  const { t } = useTranslation('canvas')
  if (lines.length === 0) return <p className="text-muted">{t('agentUpdate.same')}</p>
  return (
    <dl className="wrap-anywhere flex max-h-72 flex-col gap-2.5 overflow-y-auto">
      {lines.map(({ what, titles }) => (
        <div key={what}>
          <dt className="font-[550] text-sm">{t(`agentUpdate.${what}`)}</dt>
          <dd className="text-muted text-sm">{titles.join(', ')}</dd>
        </div>
      ))}
    </dl>
  )
}

type LostProps = { losses: Losses; node: string; document: FlowDocument }

function Lost({ losses: { edges, settings }, node, document }: LostProps) {
  const { t } = useTranslation('canvas')
  const catalog = useCatalog()
  if (edges.length + settings.length === 0) return null
  const ends = edges.map(({ from, to }) => {
    const [source, target] = [parseEnd(from), parseEnd(to)]
    const other = findNode(document, target.node === node ? source.node : target.node)
    return other ? titleOf(other, catalog) : from
  })
  const own = findNode(document, node)
  const type = own && catalog.typeOf(own)
  const label = (name: string) => type?.agentInputs?.find((input) => input.name === name)?.title ?? name
  return (
    <div role="note" className="rounded-m border border-hairline bg-sunken p-3 text-sm">
      {edges.length > 0 && (
        <p>{t('agentUpdate.lostEdges', { count: edges.length, titles: [...new Set(ends)].join(', ') })}</p>
      )}
      {settings.length > 0 && (
        <p>
          {t('agentUpdate.lostSettings', { count: settings.length, titles: settings.map(label).join(', ') })}
        </p>
      )}
    </div>
  )
}
