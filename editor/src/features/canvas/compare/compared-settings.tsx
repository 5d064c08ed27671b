import { useQueryClient } from '@tanstack/react-query'
import { Layers, Plus, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Menu, MenuItem } from '@/components/menu'
import { offering } from '@/components/setting/choice-controls'
import { useRemovalFocus } from '@/components/use-removal-focus'
import { MAX_VARIANTS } from '@/document/comparison'
import type { ComparisonDraft } from '@/document/view-store'
import { type ComparableField, valueIn } from '@/graph/comparable'
import type { FlowNode } from '@/graph/document'
import { withoutNull } from '@/graph/ports'
import { modelFieldOf } from '@/graph/setting-fields'
import { choicesOf } from '@/graph/widgets'
import { optionsQuery } from '@/lib/api/nodes'
import { toast, toastError } from '@/lib/toasts'

type ComparedSettingsProps = {
  node: FlowNode
  fields: readonly ComparableField[]
  draft: ComparisonDraft
  onChange: (draft: ComparisonDraft) => void
}

/** Which settings the variants differ in, and ways to fill several variants at once. */
export function ComparedSettings({ node, fields, draft, onChange }: ComparedSettingsProps) {
  const { t } = useTranslation('compare')
  const compared = fields.filter(({ name }) => draft.settings.includes(name))
  const others = fields.filter(({ name }) => !draft.settings.includes(name))
  const add = useRef<HTMLButtonElement>(null)
  useRemovalFocus(compared.length, () => add.current)
  return (
    <fieldset className="flex min-w-0 flex-wrap items-center gap-2">
      <legend className="mb-2 font-semibold text-faint text-xs">{t('settings')}</legend>
      {compared.map((field) => (
        <span
          key={field.name}
          className="inline-flex h-8 min-w-0 items-center gap-1 rounded-pill bg-sunken pr-1 pl-3 text-sm"
        >
          <span className="truncate">{field.title}</span>
          <button
            type="button"
            aria-label={t('removeSetting', { title: field.title })}
            disabled={compared.length === 1}
            onClick={() =>
              onChange({ ...draft, settings: draft.settings.filter((name) => name !== field.name) })
            }
            className="grid size-6 place-items-center rounded-pill text-muted hover:bg-paper disabled:opacity-40"
          >
            <X aria-hidden className="size-3.5" />
          </button>
        </span>
      ))}
      {others.length > 0 && (
        <Menu
          trigger={
            <Button ref={add} size="sm">
              <Plus />
              {t('addSetting')}
            </Button>
          }
        >
          {others.map((field) => (
            <MenuItem
              key={field.name}
              onSelect={() => onChange({ ...draft, settings: [...draft.settings, field.name] })}
            >
              {field.title}
            </MenuItem>
          ))}
        </Menu>
      )}
      <QuickFill node={node} fields={fields} draft={draft} onChange={onChange} />
    </fieldset>
  )
}

/** Fills the variants with the choices of one setting, or with other seeds. */
function QuickFill({ node, fields, draft, onChange }: ComparedSettingsProps) {
  const { t } = useTranslation('compare')
  const queries = useQueryClient()
  const [isBusy, setIsBusy] = useState(false)
  const model = modelFieldOf(fields)
  const seed = fields.find(({ name }) => name === 'seed')
  const fill = (field: ComparableField, values: readonly unknown[]) => {
    const variants = values.slice(0, MAX_VARIANTS - 1).map((value) => ({ [field.name]: value }))
    if (variants.length === 0) toast({ title: t('noChoices') })
    else onChange({ settings: [...new Set([...draft.settings, field.name])], variants })
  }
  const fillChoices = async (field: ComparableField) => {
    const own = valueIn(node.settings, field)
    const fixed = choicesOf(withoutNull(field.schema))
    setIsBusy(true)
    try {
      const found = field.schema['x-ui']?.options
        ? await queries.fetchQuery(
            optionsQuery(...offering({ field: { ...field, name: field.setting }, typeId: field.typeId }), ''),
          )
        : null
      const unusable = new Set(
        (found?.sources ?? []).filter(({ state }) => state !== 'available').map(({ title }) => title),
      )
      const offered = found?.items.filter(({ group }) => !group || !unusable.has(group))
      const others = (offered?.map(({ value }) => value) ?? fixed).filter((value) => value !== own)
      // Without a choice of its own the node uses the only one that there is: both variants would be the same.
      fill(field, !own && others.length === 1 ? [] : others)
    } catch (error) {
      toastError(t('choicesFailed'), error)
    } finally {
      setIsBusy(false)
    }
  }
  return (
    // At the end, where a setting that is added does not move them under the pointer.
    <span className="flex flex-wrap gap-2 sm:ml-auto">
      {model && (
        <Button size="sm" busy={isBusy} onClick={() => void fillChoices(model)}>
          <Layers />
          {t('perChoice', { title: model.title.toLowerCase() })}
        </Button>
      )}
      {seed && (
        <Button size="sm" onClick={() => fill(seed, randomSeeds(Math.max(draft.variants.length, 2)))}>
          <Layers />
          {t('otherSeeds')}
        </Button>
      )}
    </span>
  )
}

const MAX_SEED = 2_147_483_647

function randomSeeds(count: number): number[] {
  return Array.from({ length: count }, () => 1 + Math.floor(Math.random() * (MAX_SEED - 1)))
}
