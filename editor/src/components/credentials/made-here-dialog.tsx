import '@/lib/i18n/credentials'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import type { Trace } from '@/lib/api/assets'
import { moment } from '@/lib/format'
import { formatLabel } from '@/lib/humanize'
import { AiMark } from './ai-mark'
import { CredentialsReport } from './credentials-panel'

type MadeHereDialogProps = { name: string; trace: Trace; onClose: () => void }

/** What is known of a dropped file: its agent, its credentials, its watermark, and similar images of the library. */
export default function MadeHereDialog({ name, trace, onClose }: MadeHereDialogProps) {
  const { t } = useTranslation('credentials')
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('madeHere.title')}
      description={name}
      size="sm"
    >
      {trace.found && <Origin trace={trace} />}
      {trace.watermark && <p>{t('madeHere.watermark')}</p>}
      {trace.credentials && <CredentialsReport credentials={trace.credentials} />}
      {trace.matches.length > 0 && <Matches matches={trace.matches} />}
    </Dialog>
  )
}

/** The agent that made the file, with a link to it if the reader may open it. */
function Origin({ trace }: { trace: Trace }) {
  const { t } = useTranslation('credentials')
  const { flow_name: agent, run_id: runId, flow_id: flowId } = trace
  return (
    <div className="flex items-center gap-3">
      <p className="min-w-0 flex-1 break-words font-semibold">
        {agent ? t('madeHere.madeWith', { name: agent }) : t('madeHere.unknownAgent')}
      </p>
      {trace.can_open && (
        <Button size="sm" asChild>
          {runId ? (
            <Link to="/run/$runId" params={{ runId }}>
              {t('madeHere.open')}
            </Link>
          ) : (
            flowId && (
              <Link to="/flow/$flowId" params={{ flowId }}>
                {t('madeHere.open')}
              </Link>
            )
          )}
        </Button>
      )}
    </div>
  )
}

function Matches({ matches }: { matches: Trace['matches'] }) {
  const { t } = useTranslation('credentials')
  return (
    <section aria-label={t('madeHere.matches')} className="flex flex-col gap-3">
      <p>{t('madeHere.matchesHelp')}</p>
      <ul className="flex flex-col gap-3">
        {matches.map(({ asset, certainty }) => (
          <li key={asset.id} className="flex items-center gap-3">
            <span className="relative size-16 flex-none overflow-hidden rounded-s bg-sunken">
              {asset.thumbnail_url && (
                <img src={asset.thumbnail_url} alt="" className="size-full object-cover" />
              )}
              <AiMark made={asset.ai_made} className="absolute top-1 left-1" />
            </span>
            <span className="min-w-0 flex-1">
              <span className="block truncate font-semibold">
                {asset.name || formatLabel(asset.media_type)}
              </span>
              <span className="block text-muted text-sm">
                {t('madeHere.certainty', { percent: Math.round(certainty * 100) })}
              </span>
              <span className="block text-muted text-sm">{moment(asset.created_at)}</span>
            </span>
            <Button size="sm" asChild>
              {asset.run_id ? (
                <Link to="/run/$runId" params={{ runId: asset.run_id }}>
                  {t('madeHere.openRun')}
                </Link>
              ) : (
                <a href={asset.url} target="_blank" rel="noreferrer">
                  {t('madeHere.openFile')}
                </a>
              )}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
