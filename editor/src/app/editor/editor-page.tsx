import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { flowQuery } from '@/lib/api/flows'
import { nodesQuery } from '@/lib/api/nodes'
import { useTitle } from '@/lib/use-title'
import { NotFound } from '../not-found'
import { EditorSession } from './editor-session'

/** `/flow/{flowId}`: one agent, opened on the canvas. */
export function EditorPage({ flowId }: { flowId: string }) {
  const { t } = useTranslation('canvas')
  const flow = useQuery({ ...flowQuery(flowId), staleTime: 0 })
  const nodes = useQuery(nodesQuery())
  useTitle(flow.data?.name ?? t('loading'))
  if (flow.error && !flow.data) {
    if ('status' in flow.error && flow.error.status === 404) return <NotFound />
    throw flow.error
  }
  if (nodes.error && !nodes.data) throw nodes.error
  if (!flow.data || !nodes.data) return <Opening words={t('loading')} />
  return <EditorSession flow={flow.data} nodes={nodes.data} />
}

/** The paper is there at once; the cards follow. */
function Opening({ words }: { words: string }) {
  return (
    <main aria-busy="true" className="fixed inset-0 bg-paper">
      <p role="status" className="sr-only">
        {words}
      </p>
      <div className="absolute top-3.5 left-4 h-12 w-80 animate-breathe rounded-pill border border-hairline bg-surface" />
      <div className="absolute top-[78px] bottom-4 left-4 w-[232px] animate-breathe rounded-l border border-hairline bg-surface max-lg:hidden" />
      <div className="absolute top-[78px] right-4 bottom-4 w-[312px] animate-breathe rounded-l border border-hairline bg-surface max-lg:hidden" />
    </main>
  )
}
