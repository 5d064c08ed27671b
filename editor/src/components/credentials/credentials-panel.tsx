import '@/lib/i18n/credentials'
import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, CircleHelp, Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Chip, type Tone } from '@/components/chip'
import { Skeleton } from '@/components/surfaces'
import { type Asset, type AssetCredentials, credentialsQuery } from '@/lib/api/assets'
import { classes } from '@/lib/classes'
import { moment } from '@/lib/format'
import { modelLabel } from '@/lib/humanize'
import { useProviderTitle } from '@/lib/provider-title'
import { EditGraph } from './edit-graph'
import { PanelActions } from './panel-actions'
import { SourceList, useSourceName } from './source-list'

type CredentialsPanelProps = {
  asset: Asset
  /** Whether the actions stay in view while the panel scrolls, on wide screens. */
  pinned?: boolean
}

/** The content credentials of an asset, verified by the server when they are shown. */
export default function CredentialsPanel({ asset, pinned = false }: CredentialsPanelProps) {
  const { t } = useTranslation('credentials')
  const { data, isError, isFetching, dataUpdatedAt, refetch } = useQuery(credentialsQuery(asset.id))
  return (
    <section aria-label={t('title')} aria-busy={!data && !isError} className="flex flex-col gap-4">
      {data ? (
        <>
          <CredentialsReport credentials={data} />
          <div
            className={classes(
              'flex flex-col gap-3',
              pinned &&
                'md:-mx-5 bg-surface md:sticky md:bottom-0 md:border-hairline md:border-t md:px-5 md:py-4',
            )}
          >
            <PanelActions
              asset={asset}
              credentials={data}
              checkedAt={dataUpdatedAt}
              checking={isFetching}
              onVerify={() => void refetch()}
            />
          </div>
        </>
      ) : isError ? (
        <>
          <h3 className="font-semibold">{t('title')}</h3>
          <p role="alert" className="text-muted text-sm">
            {t('failed')}
          </p>
          <Button size="sm" className="self-start" onClick={() => void refetch()}>
            {t('retry')}
          </Button>
        </>
      ) : (
        <>
          <h3 className="font-semibold">{t('title')}</h3>
          <span className="sr-only">{t('loading')}</span>
          <Skeleton className="h-24" />
        </>
      )}
    </section>
  )
}

const looks: Record<AssetCredentials['state'], { tone: Tone; icon: ReactNode }> = {
  trusted: { tone: 'viridian', icon: <CircleCheck aria-hidden /> },
  valid: { tone: 'cobalt', icon: <CircleCheck aria-hidden /> },
  invalid: { tone: 'madder', icon: <CircleAlert aria-hidden /> },
  none: { tone: 'plain', icon: <CircleHelp aria-hidden /> },
}

/** What the credentials of a file say and whether they fit it. */
export function CredentialsReport({ credentials }: { credentials: AssetCredentials }) {
  const { t } = useTranslation('credentials')
  const { state, ai_made: made } = credentials
  return (
    <>
      <div className="flex flex-col gap-1.5">
        <div className="flex items-center justify-between gap-2">
          <h3 className="font-semibold">{t('title')}</h3>
          <Chip tone={looks[state].tone}>
            {looks[state].icon}
            {t(`state.${state}`)}
          </Chip>
        </div>
        <p className="text-sm">
          {[made && state !== 'invalid' && t(`made.${made}`), t(`summary.${state}`)]
            .filter(Boolean)
            .join(' ')}
        </p>
      </div>
      {state !== 'none' && (
        <>
          <Claims credentials={credentials} />
          <SourceList sources={credentials.sources} />
          <EditGraph credentials={credentials} />
          <div className="flex flex-col items-start gap-2 rounded-m bg-sunken px-3 py-2.5 text-muted text-xs">
            <p>{t(credentials.location === 'sidecar' ? 'sidecar' : 'embedded')}</p>
            {credentials.file_url && (
              <Button size="sm" asChild>
                <a href={credentials.file_url} download>
                  <Download aria-hidden />
                  {t('sidecarFile')}
                </a>
              </Button>
            )}
          </div>
        </>
      )}
    </>
  )
}

function Claims({ credentials }: { credentials: AssetCredentials }) {
  const { t } = useTranslation('credentials')
  const titleOf = useProviderTitle()
  const { agent, agent_version: version, model, provider, ai_made: made } = credentials
  const signer = credentials.creators.join(', ') || credentials.signer
  const { generator } = credentials
  const facts: [string, string | null | undefined][] = [
    [t('signedBy'), signer && generator ? t('signedWith', { signer, generator }) : (signer ?? generator)],
    [t('signed'), timeOf(credentials.signed_at)],
    [t('aiMade'), useMadeParts(credentials) ?? (made && t(`aiMadeValue.${made}`))],
    [t('model'), [model && modelLabel(model), provider && titleOf(provider)].filter(Boolean).join(', ')],
    [t('agent'), agent && version ? t('agentVersion', { agent, version }) : agent],
    [t('problems'), credentials.problems.join(', ')],
  ]
  return (
    <dl className="grid grid-cols-[88px_minmax(0,1fr)] gap-x-3 gap-y-2">
      {facts
        .filter(([, value]) => value)
        .map(([name, value]) => (
          <div key={name} className="contents text-sm">
            <dt className="text-muted">{name}</dt>
            <dd className="break-words">{value}</dd>
          </div>
        ))}
    </dl>
  )
}

/** Which sources AI made and which it did not, for a file that is made of both; null for others. */
function useMadeParts({ ai_made: made, sources }: AssetCredentials): string | null {
  const { t } = useTranslation('credentials')
  const nameOf = useSourceName()
  const parts = sources.filter(({ relationship }) => relationship === 'componentOf')
  const isMade = (source: (typeof parts)[number]) => source.ai_made === 'yes' || source.ai_made === 'partly'
  const [byAi, others] = [parts.filter(isMade), parts.filter((source) => !isMade(source))]
  if (made !== 'partly' || byAi.length === 0 || others.length === 0) return null
  const list = (some: typeof parts) => some.map(nameOf).join(', ')
  return t('aiMadeParts', { made: list(byAi), others: list(others) })
}

/** The time as the reader writes times, or as the file says it if it is no time. */
function timeOf(text: string | null): string | null {
  if (!text || Number.isNaN(Date.parse(text))) return text
  return moment(text)
}
