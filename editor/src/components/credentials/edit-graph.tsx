import { BadgeCheck, Layers, Pencil, Sparkles } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AssetCredentials } from '@/lib/api/assets'
import { useSourceName } from './source-list'

const ROW = 44
const HEIGHT = 32
const LEFT = 122
const RIGHT = 168
const WIDTH = 296
const MAX_SOURCES = 5

/** From the sources through the actions to the signature, as a small graph that reads as a list. */
export function EditGraph({ credentials }: { credentials: AssetCredentials }) {
  const { t } = useTranslation('credentials')
  const nameOf = useSourceName()
  const sources = credentials.sources.slice(0, MAX_SOURCES)
  const steps = [...stepsOf(credentials, t), { name: t('signedStep'), icon: <BadgeCheck aria-hidden /> }]
  if (sources.length === 0) return null
  const middle = ((Math.max(sources.length, 1) - 1) * ROW) / 2
  const rows = Math.max(sources.length, middle / ROW + steps.length)
  return (
    <div className="flex flex-col gap-2">
      <h4 className="font-semibold text-muted text-xs">{t('edits')}</h4>
      <div className="relative" style={{ height: (rows - 1) * ROW + HEIGHT, width: WIDTH }}>
        <svg aria-hidden="true" className="absolute inset-0 size-full text-hairline-strong" fill="none">
          {sources.map((_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes its order.
            <path key={index} stroke="currentColor" d={curve(index * ROW, middle)} />
          ))}
          {steps.slice(1).map(({ name }, index) => (
            <path
              key={name}
              stroke="currentColor"
              d={`M${RIGHT + 40} ${middle + index * ROW + HEIGHT}v${ROW - HEIGHT}`}
            />
          ))}
        </svg>
        <ol aria-label={t('edits')}>
          {sources.map((source, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes its order.
            <Step key={index} left={0} top={index * ROW} width={LEFT}>
              {source.thumbnail_url && (
                <img
                  src={source.thumbnail_url}
                  alt=""
                  className="-ml-1 size-5 flex-none rounded-[5px] object-cover"
                />
              )}
              <span className="truncate">{nameOf(source)}</span>
            </Step>
          ))}
          {steps.map(({ name, icon }, index) => (
            <Step key={name} left={RIGHT} top={middle + index * ROW} width={WIDTH - RIGHT}>
              {icon}
              <span className="truncate">{name}</span>
            </Step>
          ))}
        </ol>
      </div>
    </div>
  )
}

type StepProps = { left: number; top: number; width: number; children: ReactNode }

function Step({ left, top, width, children }: StepProps) {
  return (
    <li
      className="absolute inline-flex items-center gap-1.5 rounded-s border border-hairline bg-sunken px-2.5 font-semibold text-xs [&_svg]:size-3.5 [&_svg]:flex-none [&_svg]:text-muted"
      style={{ left, top, height: HEIGHT, maxWidth: width }}
    >
      {children}
    </li>
  )
}

/** A line from the right of a source to the left of the first action. */
function curve(from: number, to: number): string {
  const [start, end] = [from + HEIGHT / 2, to + HEIGHT / 2]
  return `M0 ${start}H${LEFT - 10}C${LEFT + 30} ${start} ${RIGHT - 36} ${end} ${RIGHT} ${end}`
}

type Texts = ReturnType<typeof useTranslation<'credentials'>>['t']

const icons: Record<string, ReactNode> = {
  'c2pa.created': <Sparkles aria-hidden />,
  'c2pa.placed': <Layers aria-hidden />,
}
const known = ['c2pa.created', 'c2pa.opened', 'c2pa.edited', 'c2pa.edited.metadata', 'c2pa.placed'] as const

/** The actions by name; opening a file and creating an empty one say nothing beside what follows. */
function stepsOf({ actions }: AssetCredentials, t: Texts): { name: string; icon: ReactNode }[] {
  const telling = actions.filter(({ action }, index) => !(action === 'c2pa.opened' || isEmptyStart(index)))
  const named = (telling.length > 0 ? telling : actions).map(({ action }) => ({
    name: t(`edited.${known.find((each) => each === action) ?? 'other'}`),
    icon: icons[action] ?? <Pencil aria-hidden />,
  }))
  return [...new Map(named.map((step) => [step.name, step])).values()]

  function isEmptyStart(index: number): boolean {
    return actions[index]?.action === 'c2pa.created' && actions.some(({ action }) => action === 'c2pa.placed')
  }
}
