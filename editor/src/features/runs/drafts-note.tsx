import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { RunState, StepState } from '@/lib/run/types'

const DRAWING = new Set(['image_generation', 'video_generation'])

/** Says that the images were drawn on the server's computer, with the way to connect a model. */
export function DraftsNote({ state }: { state: RunState }) {
  const { t } = useTranslation('runs')
  if (!isDrawnHere(state)) return null
  return (
    <p className="mt-3 px-1 text-muted text-sm">
      {t('drafts')}{' '}
      <Link className="underline" to="/account/connections">
        {t('draftsConnect')}
      </Link>
    </p>
  )
}

/** Whether this computer drew the images of a run, and no model of a provider made one. */
export function isDrawnHere(state: RunState): boolean {
  const made = Object.values(state.steps).filter((step: StepState) => DRAWING.has(step.nodeType))
  const providers = made.flatMap((step) => step.madeBy?.provider ?? [])
  return providers.length > 0 && providers.every((provider) => provider === 'local')
}
