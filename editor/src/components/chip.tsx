import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { classes } from '@/lib/classes'

export type Tone = 'plain' | 'cobalt' | 'viridian' | 'ochre' | 'violet' | 'vermilion' | 'madder' | 'faint'

const tones: Record<Tone, string> = {
  plain: 'text-muted',
  cobalt: 'text-cobalt-text',
  viridian: 'text-viridian-text',
  ochre: 'text-ochre-text',
  violet: 'text-violet-text',
  vermilion: 'text-vermilion-text',
  madder: 'text-madder-text',
  faint: 'text-faint',
}

type ChipProps = ComponentProps<'span'> & { tone?: Tone; dot?: boolean }

export function Chip({ tone = 'plain', dot, className, children, ...rest }: ChipProps) {
  return (
    <span
      className={classes(
        'inline-flex items-center gap-1.5 whitespace-nowrap rounded-pill bg-sunken px-[9px] py-[3px] font-medium text-xs [&_svg]:size-3.5',
        tones[tone],
        className,
      )}
      {...rest}
    >
      {dot && <i aria-hidden className="size-1.5 rounded-pill bg-current" />}
      {children}
    </span>
  )
}

const agentTone = { published: 'viridian', draft: 'ochre', deprecated: 'faint' } as const

type StatusChipProps = {
  status: keyof typeof agentTone
  /** Whether an admin has unpublished the agent. */
  withheld?: boolean
}

/** The status of an agent, as text and color. */
export function StatusChip({ status, withheld }: StatusChipProps) {
  const { t } = useTranslation('common')
  if (withheld) {
    return (
      <Chip dot tone="madder" title={t('withheld.title')}>
        {t('status.withheld')}
      </Chip>
    )
  }
  return (
    <Chip dot tone={agentTone[status]}>
      {t(`status.${status}`)}
    </Chip>
  )
}

/** The color of each status of a run. */
export const runTone = {
  queued: 'plain',
  running: 'cobalt',
  finished: 'viridian',
  failed: 'madder',
  cancelled: 'faint',
} as const

type RunChipProps = {
  status: keyof typeof runTone
  /** The elapsed time, formatted. */
  clock?: string
}

/** The status of a run, as text and color. */
export function RunChip({ status, clock }: RunChipProps) {
  const { t } = useTranslation('common')
  return (
    <Chip dot tone={runTone[status]}>
      {t(`run.${status}`)}
      {clock && <span className="tabular-nums">{clock}</span>}
    </Chip>
  )
}
