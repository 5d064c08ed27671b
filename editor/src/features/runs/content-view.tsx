import { Check, CircleHelp, Copy, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable } from '@/components/data-table'
import { classes } from '@/lib/classes'
import { copyText } from '@/lib/clipboard'
import type { Check as BrandCheck, Content, Swatch } from '@/lib/run/meanings'

/** A result by its meaning: a post as it would look, hashtags to copy, a shot list as a table, … */
export function ContentView({ content }: { content: Content }) {
  switch (content.shape) {
    case 'post':
      return <Post text={content.text} hashtags={content.hashtags} />
    case 'ad':
      return <Ad {...content} />
    case 'hashtags':
      return <Hashtags hashtags={content.hashtags} />
    case 'shots':
      return (
        <>
          {content.title && <p className="mb-2 font-[550]">{content.title}</p>}
          <DataTable laid={content.table} numbered />
        </>
      )
    case 'checks':
      return <Checks checks={content.checks} />
    case 'palette':
      return <Palette colors={content.colors} />
  }
}

function Post({ text, hashtags }: { text: string; hashtags: readonly string[] }) {
  const { t } = useTranslation('runs')
  const count = [...[text, hashtags.join(' ')].filter(Boolean).join('\n\n')].length
  return (
    <>
      <div
        dir="auto"
        className="wrap-anywhere max-w-130 rounded-m border border-hairline px-4 py-3.5 leading-relaxed"
      >
        <p className="whitespace-pre-wrap">{text}</p>
        {hashtags.length > 0 && <p className="mt-3 text-cobalt-text">{hashtags.join(' ')}</p>}
      </div>
      <p className="mt-2 text-muted text-xs">{t('characters', { count })}</p>
    </>
  )
}

function Ad({ headline, body, action }: Extract<Content, { shape: 'ad' }>) {
  return (
    <div dir="auto" className="wrap-anywhere max-w-130 rounded-m border border-hairline px-4 py-3.5">
      <p className="font-serif text-title">{headline}</p>
      {body && <p className="mt-1.5 whitespace-pre-wrap leading-relaxed">{body}</p>}
      {action && (
        <p className="mt-3 inline-block rounded-pill bg-sunken px-3 py-1 font-[550] text-sm">{action}</p>
      )}
    </div>
  )
}

function Hashtags({ hashtags }: { hashtags: readonly string[] }) {
  const { t } = useTranslation('runs')
  return (
    <ul className="flex flex-wrap gap-1.5">
      {hashtags.map((hashtag) => (
        <li key={hashtag}>
          <CopyChip text={hashtag} label={t('copyHashtag', { hashtag })}>
            {hashtag}
          </CopyChip>
        </li>
      ))}
    </ul>
  )
}

const verdicts = {
  passed: { icon: <Check aria-hidden />, tone: 'text-viridian-text' },
  failed: { icon: <X aria-hidden />, tone: 'text-madder-text' },
  open: { icon: <CircleHelp aria-hidden />, tone: 'text-muted' },
} as const

function Checks({ checks }: { checks: readonly BrandCheck[] }) {
  const { t } = useTranslation('runs')
  return (
    <ul className="divide-y divide-hairline">
      {checks.map(({ title, passed, reason }, index) => {
        const verdict = passed === null ? 'open' : passed ? 'passed' : 'failed'
        const { icon, tone } = verdicts[verdict]
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: two checks may have the same title.
          <li key={index} className="flex gap-3 py-2.5 first:pt-1">
            <span className={classes('mt-0.5 [&_svg]:size-4', tone)}>{icon}</span>
            <div className="min-w-0">
              <p className="wrap-anywhere flex flex-wrap gap-x-2 font-[550]">
                {title}
                <span className="font-normal text-muted">{t(`check.${verdict}`)}</span>
              </p>
              {reason && <p className="wrap-anywhere text-muted text-sm">{reason}</p>}
            </div>
          </li>
        )
      })}
    </ul>
  )
}

function Palette({ colors }: { colors: readonly Swatch[] }) {
  const { t } = useTranslation('runs')
  return (
    <ul className="grid grid-cols-2 gap-2 sm:grid-cols-3">
      {colors.map(({ hex, share }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two colors of a palette may be equal.
        <li key={index} className="min-w-0">
          <CopyChip text={hex} label={t('copyColor', { color: hex })} shape="block">
            <i
              aria-hidden
              style={{ background: hex }}
              className="size-7 flex-none rounded-s border border-ink/10"
            />
            <span className="font-mono">{hex}</span>
            {share !== null && <span className="text-muted">{`${Math.round(share * 100)} %`}</span>}
          </CopyChip>
        </li>
      ))}
    </ul>
  )
}

type CopyChipProps = { text: string; label: string; shape?: 'block'; children: ReactNode }

function CopyChip({ text, label, shape, children }: CopyChipProps) {
  return (
    <button
      type="button"
      aria-label={label}
      onClick={() => void copyText(text)}
      className={classes(
        'wrap-anywhere flex max-w-full text-start items-center gap-1.5 rounded-pill bg-sunken px-2.5 py-1 font-medium text-xs hover:bg-hairline [&>svg]:size-3 [&>svg]:flex-none [&>svg]:text-muted',
        shape === 'block' && 'w-full rounded-m py-1.5 pl-1.5',
      )}
    >
      {children}
      <Copy aria-hidden />
    </button>
  )
}
