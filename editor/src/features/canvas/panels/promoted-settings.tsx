import { useTranslation } from 'react-i18next'
import { Combobox } from '@/components/combobox'
import type { Promotion } from '@/graph/edits/promotions'
import { moved, OrderList } from './order-list'

type PromotedSettingsProps = {
  offers: readonly Promotion[]
  chosen: readonly Promotion[]
  onChange: (chosen: readonly Promotion[]) => void
}

/** The settings that a new agent offers, with their names and order, and all others to choose from. */
export function PromotedSettings({ offers, chosen, onChange }: PromotedSettingsProps) {
  const { t } = useTranslation('canvas')
  const isChosen = new Set(chosen.map(keyOf))
  const left = offers.filter((one) => !isChosen.has(keyOf(one)))
  if (offers.length === 0) return null
  return (
    <section aria-labelledby="promoted-settings" className="flex flex-col gap-2">
      <h3 id="promoted-settings" className="font-[550] text-sm">
        {t('toAgent.settings')}
      </h3>
      <p className="text-muted text-xs">{t('toAgent.settingsHelp')}</p>
      {chosen.length > 0 && (
        <OrderList
          label={t('toAgent.settings')}
          items={chosen.map((one) => ({
            key: keyOf(one),
            title: one.title,
            of: one.nodeTitle,
            name: one.label,
          }))}
          onMove={(from, to) => onChange(moved(chosen, from, to))}
          onRename={({ key }, label) =>
            onChange(chosen.map((one) => (keyOf(one) === key ? { ...one, label } : one)))
          }
          onRemove={({ key }) => onChange(chosen.filter((one) => keyOf(one) !== key))}
        />
      )}
      {left.length > 0 && (
        <Combobox
          value=""
          aria-label={t('toAgent.addSetting')}
          placeholder={t('toAgent.addSetting')}
          choices={left.map((one) => ({ value: keyOf(one), label: one.title, note: one.nodeTitle }))}
          onValueChange={(key) => {
            const added = left.find((one) => keyOf(one) === key)
            if (added) onChange([...chosen, added])
          }}
        />
      )}
    </section>
  )
}

function keyOf({ node, setting }: Promotion): string {
  return `${node}.${setting}`
}
