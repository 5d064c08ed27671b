import { Unlink } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '@/components/icon-button'
import { PortDot } from '@/components/port-dot'
import { useSession } from '@/document/use-session'
import { titleOf } from '@/graph/connect'
import { type FlowEdge, findNode, parseEnd } from '@/graph/document'
import { disconnect } from '@/graph/edits/edges'
import { portAt } from '@/graph/ports'

/** Says what feeds a setting or an input, leads there, and lets go of it. */
export function ConnectionSource({ title, edge }: { title: string; edge: FlowEdge }) {
  const { t } = useTranslation('inspector')
  const session = useSession()
  const from = parseEnd(edge.from)
  const node = findNode(session.document, from.node)
  const port = portAt(node, session.catalog, from, 'source')
  const name = node ? titleOf(node, session.catalog) : from.node
  return (
    <div className="flex flex-col gap-1.5">
      <span className="font-[550] text-sm">{title}</span>
      <div className="flex min-h-10 items-center gap-2.5 rounded-field border border-hairline bg-sunken pr-1.5 pl-3">
        <PortDot type={port?.type ?? 'Any'} list={port?.list ?? false} />
        <button
          type="button"
          onClick={() => session.view.show(from.node)}
          className="min-w-0 flex-1 truncate text-left text-muted hover:text-ink"
        >
          {t('drivenBy', { title: name })}
        </button>
        {session.canEdit && (
          <IconButton
            size="sm"
            label={t('unlink')}
            icon={<Unlink />}
            onClick={() => session.edit((flow) => disconnect(flow, edge))}
          />
        )}
      </div>
    </div>
  )
}
