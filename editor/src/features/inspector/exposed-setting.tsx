import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Checkbox } from '@/components/checkbox'
import { Field } from '@/components/field'
import { Input, Textarea } from '@/components/input'
import { useSession } from '@/document/use-session'
import type { ExposedSetting, FlowNode } from '@/graph/document'
import { setExposed } from '@/graph/edits/nodes'
import { withoutNull } from '@/graph/ports'
import type { SettingField } from '@/graph/setting-fields'
import { choiceLabelOf, choicesOf, widgetOf } from '@/graph/widgets'

type ExposedFormProps = { node: FlowNode; field: SettingField; exposed: ExposedSetting }

/** How launchers see a setting that is an input of the agent: label, help, limits and order. */
export function ExposedForm({ node, field, exposed }: ExposedFormProps) {
  const { t } = useTranslation('inspector')
  const session = useSession()
  const schema = withoutNull(field.schema)
  const isNumber = schema.type === 'number' || schema.type === 'integer'
  const choices = choicesOf(schema)
  const allowed = exposed.choices?.length ? exposed.choices : choices
  const isLast = allowed.length === 1 && choices.length > 1
  const lastId = useId()
  const isListed = widgetOf(field.schema) === 'options' && !isNumber
  const change = (part: ExposedSetting) =>
    session.edit((flow) => {
      const now = flow.nodes.find(({ id }) => id === node.id)?.exposed?.[field.name] ?? exposed
      return setExposed(flow, node.id, field.name, { ...now, ...part })
    }, `${node.id}.exposed.${field.name}`)
  const settle = () => session.flow.settle()
  const number = (name: 'minimum' | 'maximum') => (
    <Field label={t(`exposed.${name}`)} className="flex-1">
      <Input
        type="number"
        disabled={!session.canEdit}
        value={exposed[name] ?? ''}
        placeholder={String(schema[name] ?? '')}
        onChange={(event) =>
          change({ [name]: event.target.value === '' ? undefined : event.target.valueAsNumber })
        }
        onBlur={settle}
      />
    </Field>
  )
  return (
    <fieldset className="mt-2 flex min-w-0 flex-col gap-3 rounded-m border border-hairline bg-sunken p-3">
      <legend className="sr-only">{t('exposed.of', { title: field.title })}</legend>
      <p className="text-muted text-xs">{t('exposed.help')}</p>
      <Field label={t('exposed.label')}>
        <Input
          disabled={!session.canEdit}
          value={exposed.label ?? ''}
          placeholder={field.title}
          onChange={(event) => change({ label: event.target.value })}
          onBlur={settle}
        />
      </Field>
      <Field label={t('exposed.helpText')}>
        <Input
          disabled={!session.canEdit}
          value={exposed.help ?? ''}
          placeholder={schema.description}
          onChange={(event) => change({ help: event.target.value })}
          onBlur={settle}
        />
      </Field>
      {isNumber && (
        <div className="flex gap-2">
          {number('minimum')}
          {number('maximum')}
        </div>
      )}
      {choices.length > 0 && (
        <fieldset disabled={!session.canEdit}>
          <legend className="mb-1.5 font-[550] text-sm">{t('exposed.choices')}</legend>
          <div className="flex flex-wrap gap-x-4 gap-y-1.5">
            {choices.map((choice) => {
              return (
                // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is inside.
                <label key={String(choice)} className="flex items-center gap-2 text-sm">
                  <Checkbox
                    checked={allowed.includes(choice)}
                    disabled={isLast && allowed.includes(choice)}
                    aria-describedby={isLast && allowed.includes(choice) ? lastId : undefined}
                    onCheckedChange={(on) => {
                      const next = choices.filter((one) =>
                        one === choice ? on === true : allowed.includes(one),
                      )
                      change({ choices: next.length === choices.length ? undefined : next })
                      settle()
                    }}
                  />
                  {choiceLabelOf(field.schema, choice)}
                </label>
              )
            })}
          </div>
          {isLast && (
            <p id={lastId} className="mt-1.5 text-muted text-xs">
              {t('exposed.lastChoice')}
            </p>
          )}
        </fieldset>
      )}
      {isListed && <ListedChoices exposed={exposed} onChange={change} onSettle={settle} />}
      <div className="flex flex-wrap gap-1">
        {session.canEdit && (
          <Button
            size="sm"
            variant="ghost"
            className="-ml-2.5"
            onClick={() => session.view.open('agentInputs')}
          >
            {t('exposed.order')}
          </Button>
        )}
        {session.canEdit && (
          <Button
            size="sm"
            onClick={() => {
              session.edit((flow) => setExposed(flow, node.id, field.name, undefined))
              settle()
            }}
          >
            {t('exposed.hide')}
          </Button>
        )}
      </div>
    </fieldset>
  )
}

type ListedChoicesProps = {
  exposed: ExposedSetting
  onChange: (part: ExposedSetting) => void
  onSettle: () => void
}

/** The allowed values of a setting whose choices come from a provider, one per line. */
function ListedChoices({ exposed, onChange, onSettle }: ListedChoicesProps) {
  const { t } = useTranslation('inspector')
  const session = useSession()
  const own = (exposed.choices ?? []).join('\n')
  const [typed, setTyped] = useState(own)
  // Undo, and edits on another device, replace what was typed.
  const text = linesOf(typed).join('\n') === own ? typed : own
  return (
    <Field label={t('exposed.allowed')} help={t('exposed.allowedHelp')}>
      <Textarea
        rows={3}
        disabled={!session.canEdit}
        value={text}
        onChange={(event) => {
          setTyped(event.target.value)
          onChange({ choices: linesOf(event.target.value) })
        }}
        onBlur={onSettle}
      />
    </Field>
  )
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
}
