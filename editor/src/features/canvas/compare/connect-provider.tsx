import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { useConnectDialog } from '@/components/launch/use-connect-dialog'
import { offering } from '@/components/setting/choice-controls'
import type { ChoiceSource } from '@/components/setting/control-props'
import { useSession } from '@/document/use-session'
import { comparableFields, valueIn } from '@/graph/comparable'
import type { FlowNode } from '@/graph/document'
import { modelFieldOf } from '@/graph/setting-fields'
import { nodesQuery, optionsQuery } from '@/lib/api/nodes'
import { providerTitle } from '@/lib/provider-title'
import { invalidate } from '@/lib/query-client'
import { ConnectionsLink } from '../connections-link'

/** Asks for the key of a provider over the comparison; what depends on it is asked of the server again. */
export function useComparisonConnect() {
  const { checker } = useSession()
  return useConnectDialog(() => {
    void invalidate({ queryKey: ['runs', 'comparison-estimate'] })
    void checker.recheck()
  })
}

type ConnectButtonProps = {
  source: ChoiceSource
  /** For screen readers, if a button for each of several variants says the same. */
  label?: string
  primary?: boolean
  onConnected?: () => void
}

/** Connects a provider in place. */
export function ConnectButton({ source, label, primary, onConnected }: ConnectButtonProps) {
  const { t } = useTranslation('compare')
  const { connect, dialog } = useComparisonConnect()
  return (
    <>
      <Button
        size="sm"
        {...(primary && { variant: 'primary' as const })}
        aria-label={label}
        onClick={() => connect(source, () => onConnected?.())}
      >
        <KeyRound aria-hidden />
        {t('connect')}
      </Button>
      {dialog}
    </>
  )
}

type MissingKeyProps = { node: FlowNode; help: string; label: string }

/** Connects the provider of a node that lacks a key. */
export function MissingKey({ node, help, label }: MissingKeyProps) {
  const { t } = useTranslation('compare')
  const source = useMissingProvider(node, help)
  if (source) return <ConnectButton source={source} label={label} />
  return <ConnectionsLink className="self-start" icon={<KeyRound aria-hidden />} text={t('connections')} />
}

/** The provider that a node is set to, or the one without a key that has its model; null if neither is known. */
function useMissingProvider(node: FlowNode, message: string): ChoiceSource | null {
  const { catalog, document } = useSession()
  const { data: installed } = useQuery(nodesQuery())
  const fields = comparableFields(node, document, catalog, { fed: true })
  const model = modelFieldOf(fields)
  const isNamed = typeof node.settings.provider === 'string' && node.settings.provider !== 'auto'
  const [type, setting] = model
    ? offering({ field: { ...model, name: model.setting }, typeId: model.typeId })
    : ['', '']
  const { data } = useQuery({ ...optionsQuery(type, setting, ''), enabled: !isNamed && model !== undefined })
  if (isNamed) {
    const id = String(node.settings.provider)
    return { id, title: providerTitle(installed, id), message }
  }
  const group = data?.items.find(({ value }) => model && value === valueIn(node.settings, model))?.group
  const source = data?.sources?.find(({ state, title }) => state === 'no_key' && title === group)
  return source ? { id: source.id, title: source.title, message: source.message ?? message } : null
}
