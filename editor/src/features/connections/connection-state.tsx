import type { UseQueryResult } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, CircleDashed, KeyRound, RefreshCw, ServerCog } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Connection, ConnectionTest } from '@/lib/api/connections'
import { messageOf } from '@/lib/api/error'
import { ago, seconds } from '@/lib/format'

type ConnectionStateProps = { connection: Connection; test: UseQueryResult<ConnectionTest> }

/** Whether a provider works now. Screen readers hear the outcome of a test. */
export function ConnectionState(props: ConnectionStateProps) {
  return (
    <div aria-live="polite" className="min-w-0">
      <Shown {...props} />
    </div>
  )
}

function Shown({ connection: { access, takes_key, takes_address }, test }: ConnectionStateProps) {
  const { t } = useTranslation('connections')
  if (access === 'missing' && takes_address) {
    return <State tone="muted" icon={<ServerCog />} label={t('notSetUp')} help={t('addressMissingHelp')} />
  }
  if (access === 'missing' && takes_key) {
    return <State tone="madder" icon={<KeyRound />} label={t('missingKey')} help={t('missingKeyHelp')} />
  }
  if (access === 'missing') {
    return <State tone="muted" icon={<ServerCog />} label={t('notSetUp')} help={t('notSetUpHelp')} />
  }
  if (test.isFetching) {
    return <State tone="cobalt" icon={<RefreshCw />} label={t('testing')} help={t('testingHelp')} />
  }
  if (test.data?.state === 'connected') {
    const when = ago(test.dataUpdatedAt)
    const answered = t('answered', { time: seconds(test.data.seconds), when })
    return (
      <State
        tone="viridian"
        icon={<CircleCheck />}
        label={t(access === 'local' ? 'always' : 'connected')}
        help={access === 'local' ? t('alwaysHelp') : answered}
      />
    )
  }
  if (test.data?.state === 'untested') {
    return <State tone="muted" icon={<CircleDashed />} label={t('untested')} help={test.data.message ?? ''} />
  }
  const help = test.data?.message ?? (test.error ? messageOf(test.error) : '')
  return <State tone="madder" icon={<CircleAlert />} label={t('failed')} help={help} />
}

const TONES = {
  madder: 'text-madder-text',
  cobalt: 'text-cobalt-text',
  viridian: 'text-viridian-text',
  muted: 'text-muted',
} as const

type StateProps = { tone: keyof typeof TONES; icon: ReactNode; label: string; help: string }

function State({ tone, icon, label, help }: StateProps) {
  return (
    <>
      <p className={`flex items-center gap-1.5 font-semibold text-sm [&_svg]:size-4 ${TONES[tone]}`}>
        <span aria-hidden>{icon}</span>
        {label}
      </p>
      <p className="wrap-anywhere text-muted text-xs">{help}</p>
    </>
  )
}
