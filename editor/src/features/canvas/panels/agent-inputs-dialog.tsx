import { useTranslation } from 'react-i18next'
import { Dialog } from '@/components/dialog'
import { useCatalog, useDocument, useSession, useView } from '@/document/use-session'
import { offeredSettings, orderSettings } from '@/graph/edits/exposed-order'
import { setExposed } from '@/graph/edits/nodes'
import { moved, OrderList } from './order-list'

/** The settings that launchers of the agent may set: their names and their order. */
export function AgentInputsDialog() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const open = useView((state) => state.dialog === 'agentInputs')
  return (
    <Dialog
      open={open}
      onOpenChange={() => session.view.open(null)}
      title={t('agentInputs.title')}
      description={t('agentInputs.text')}
      size="sm"
    >
      {open && <Content />}
    </Dialog>
  )
}

function Content() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const catalog = useCatalog()
  const document = useDocument((flow) => flow)
  const settings = offeredSettings(document, catalog)
  if (settings.length === 0) return <p className="text-muted">{t('agentInputs.none')}</p>
  const settle = () => session.flow.settle()
  return (
    <OrderList
      label={t('agentInputs.title')}
      items={settings.map(({ node, setting, nodeTitle, title, exposed }) => ({
        key: `${node}.${setting}`,
        title,
        of: nodeTitle,
        name: exposed.label ?? '',
      }))}
      onMove={(from, to) =>
        session.edit((flow) => orderSettings(flow, moved(settings, from, to)), 'agentInputs.order')
      }
      onRename={({ key }, name) => {
        const found = settings.find(({ node, setting }) => `${node}.${setting}` === key)
        if (!found) return
        const { node, setting, exposed } = found
        session.edit(
          (flow) => setExposed(flow, node, setting, { ...exposed, label: name }),
          `agentInputs.${key}`,
        )
      }}
      onRemove={({ key }) => {
        const found = settings.find(({ node, setting }) => `${node}.${setting}` === key)
        if (found) session.edit((flow) => setExposed(flow, found.node, found.setting, undefined))
        settle()
      }}
      onSettle={settle}
    />
  )
}
