import { Check, CircleX, Info, Plus, X } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Input } from '@/components/input'
import { Select } from '@/components/select'
import { toHexColor } from '@/graph/validate'
import type { BrandContent } from '@/lib/api/brand-edits'
import { contrastPairs, type TextUse } from './contrast'
import { Section } from './section'

type Color = NonNullable<BrandContent['colors']>[number]
type Role = NonNullable<Color['role']>

const ROLES: readonly Role[] = ['primary', 'background', 'support', 'accent', 'text', 'other']
const MAX_COLORS = 24
const MAX_PAIRS = 5

type PaletteSectionProps = {
  colors: readonly Color[]
  /** The colors of the newest published version. */
  published: readonly Color[] | null
  onChange: (colors: Color[]) => void
  readOnly: boolean
}

/** The colors of a brand with their roles, and the contrast of their pairs. */
export function PaletteSection({ colors, published, onChange, readOnly }: PaletteSectionProps) {
  const { t } = useTranslation('brands')
  const nextRole = ROLES.find((role) => !colors.some((color) => color.role === role)) ?? 'other'
  return (
    <Section title={t('colors.title')} aside={t('colors.contrast')}>
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        {colors.map((color, at) => (
          <ColorCard
            // biome-ignore lint/suspicious/noArrayIndexKey: colors have no identity but their place
            key={at}
            color={color}
            was={before(color, colors, published)}
            readOnly={readOnly}
            onChange={(next) => onChange(colors.with(at, next))}
            onRemove={() => onChange(colors.toSpliced(at, 1))}
          />
        ))}
        {!readOnly && colors.length < MAX_COLORS && (
          <li>
            <button
              type="button"
              onClick={() => onChange([...colors, { hex: START[nextRole], role: nextRole, name: '' }])}
              className="flex h-23 w-full flex-col items-center justify-center gap-1.5 rounded-m border border-hairline-strong border-dashed text-muted text-sm hover:bg-sunken hover:text-ink"
            >
              <Plus aria-hidden className="size-4" />
              {t('colors.add')}
            </button>
          </li>
        )}
      </ul>
      <Pairs colors={colors.map(({ hex }) => hex)} />
    </Section>
  )
}

const START: Record<Role, string> = {
  primary: '#2f57e0',
  background: '#f6f3ec',
  support: '#c9d3d0',
  accent: '#de4f2a',
  text: '#1d1a16',
  other: '#888888',
}

/** The published color of the same role, if this is the only one of the role and it differs. */
function before(color: Color, colors: readonly Color[], published: readonly Color[] | null): string | null {
  const same = (list: readonly Color[]) => list.filter(({ role }) => role === color.role)
  const [old, ...others] = same(published ?? [])
  if (!old || others.length > 0 || same(colors).length > 1) return null
  return old.hex === color.hex ? null : old.hex
}

type ColorCardProps = {
  color: Color
  was: string | null
  readOnly: boolean
  onChange: (color: Color) => void
  onRemove: () => void
}

function ColorCard({ color, was, readOnly, onChange, onRemove }: ColorCardProps) {
  const { t } = useTranslation('brands')
  const role = t(`colors.role.${color.role ?? 'other'}`)
  const [typed, setTyped] = useState<string | null>(null)
  const errorId = useId()
  const invalid = typed !== null && toHexColor(typed) === null
  return (
    <li className="group relative min-w-0">
      <span className="relative flex h-23 overflow-hidden rounded-m border border-ink/12">
        <input
          type="color"
          aria-label={t('colors.pick', { role })}
          value={color.hex}
          disabled={readOnly}
          onChange={(event) => {
            setTyped(null)
            onChange({ ...color, hex: event.target.value })
          }}
          className="h-full min-w-0 flex-1 cursor-pointer appearance-none bg-transparent p-0 disabled:cursor-default [&::-webkit-color-swatch-wrapper]:p-0 [&::-webkit-color-swatch]:rounded-none [&::-webkit-color-swatch]:border-0"
        />
        {was && <i aria-hidden className="w-10 flex-none" style={{ background: was }} />}
      </span>
      {readOnly ? (
        <>
          <b className="mt-2 block font-semibold">{role}</b>
          <span className="font-mono text-xs">{color.hex}</span>
        </>
      ) : (
        <>
          <Select
            value={color.role ?? 'other'}
            onValueChange={(next) => onChange({ ...color, role: next })}
            choices={ROLES.map((value) => ({ value, label: t(`colors.role.${value}`) }))}
            aria-label={t('colors.roleOf', { hex: color.hex })}
            className="mt-2 h-8 font-semibold text-sm"
          />
          <Input
            aria-label={t('colors.hex', { role })}
            aria-invalid={invalid || undefined}
            aria-describedby={invalid ? errorId : undefined}
            value={typed ?? color.hex}
            spellCheck={false}
            maxLength={9}
            onChange={(event) => {
              setTyped(event.target.value)
              const hex = toHexColor(event.target.value)
              if (hex) onChange({ ...color, hex })
            }}
            onBlur={() => setTyped(null)}
            className="mt-1.5 h-8 font-mono text-xs"
          />
          {invalid && (
            <p id={errorId} role="alert" className="mt-1 text-[12.5px] text-madder-text">
              {t('colors.invalid')}
            </p>
          )}
          {was && (
            <p className="mt-1 text-muted text-xs">
              {t('colors.was', { hex: was })}{' '}
              <button
                type="button"
                aria-label={t('colors.undoOf', { hex: was })}
                onClick={() => {
                  setTyped(null)
                  onChange({ ...color, hex: was })
                }}
                className="font-semibold text-ink underline"
              >
                {t('colors.undo')}
              </button>
            </p>
          )}
          <button
            type="button"
            aria-label={t('colors.remove', { hex: color.hex })}
            onClick={onRemove}
            className="absolute -top-2 -right-2 grid size-6 place-items-center rounded-pill border border-hairline-strong bg-surface opacity-0 focus-visible:opacity-100 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100"
          >
            <X aria-hidden className="size-3.5" />
          </button>
        </>
      )}
    </li>
  )
}

const USES: Record<TextUse, { Icon: typeof Check; tone: string }> = {
  all_text: { Icon: Check, tone: 'text-viridian-text' },
  headlines: { Icon: Info, tone: 'text-ochre-text' },
  shapes: { Icon: CircleX, tone: 'text-madder-text' },
}

function Pairs({ colors }: { colors: readonly string[] }) {
  const { t } = useTranslation('brands')
  const all = contrastPairs(colors)
  // The best and the worst: those in between follow.
  const shown = all.length <= MAX_PAIRS ? all : [...all.slice(0, MAX_PAIRS - 2), ...all.slice(-2)]
  if (shown.length === 0) return null
  return (
    <ul
      aria-label={t('colors.pairs')}
      className="mt-4 grid grid-cols-2 gap-2.5 border-hairline border-t pt-4 sm:grid-cols-5"
    >
      {shown.map(({ foreground, background, ratio, use }) => {
        const { Icon, tone } = USES[use]
        return (
          <li key={foreground + background} className="min-w-0">
            <span className="sr-only">{t('colors.pair', { foreground, background, ratio })}</span>
            <svg
              aria-hidden
              viewBox="0 0 100 46"
              preserveAspectRatio="xMidYMid slice"
              className="h-11.5 w-full rounded-s border border-ink/10"
              style={{ background }}
            >
              <text x="50" y="30" textAnchor="middle" fontSize="20" fill={foreground}>
                Aa
              </text>
            </svg>
            <span aria-hidden className="mt-1.5 block font-medium font-mono text-xs">
              {ratio.toFixed(1)}:1
            </span>
            <span className="flex items-center gap-1 text-muted text-xs">
              <Icon aria-hidden className={`size-3.25 flex-none ${tone}`} />
              {t(`colors.${use}`)}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
