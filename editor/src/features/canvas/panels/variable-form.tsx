import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Checkbox } from '@/components/checkbox'
import { Field } from '@/components/field'
import { Input, Textarea } from '@/components/input'
import { Select } from '@/components/select'
import { SettingControl } from '@/components/setting/setting-control'
import { useValueErrorText } from '@/components/setting/value-error-text'
import { useSession } from '@/document/use-session'
import type { Schema } from '@/graph/catalog'
import { titleOf } from '@/graph/connect'
import { type FlowVariable, findNode, type VariableType } from '@/graph/document'
import { changeVariable, renameVariable } from '@/graph/edits/variables'
import { valueError } from '@/graph/validate'
import {
  canHold,
  convertValue,
  MAX_NAME_LENGTH,
  MAX_VALUE_LENGTH,
  nameError,
  textOfValue,
  VARIABLE_TYPES,
} from '@/graph/variables'

/** The name, type, value and description of a variable. */
export function VariableForm({ variable }: { variable: FlowVariable }) {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const { name, type } = variable
  const change = (part: Parameters<typeof changeVariable>[2], gesture: string) =>
    session.edit((flow) => changeVariable(flow, name, part), `variable.${name}.${gesture}`)
  const settle = () => session.flow.settle()
  const setType = (next: VariableType) => {
    if (next === type) return
    const value = convertValue(variable.value, next)
    change({ type: next, value, ...(next !== 'Text' && { choices: undefined, widget: undefined }) }, 'type')
    settle()
  }
  return (
    <>
      <NameField variable={variable} />
      <Field label={t('variables.type')}>
        <Select<VariableType>
          value={type}
          disabled={!session.canEdit}
          onValueChange={setType}
          choices={VARIABLE_TYPES.map((value) => ({ value, label: t(`variables.types.${value}`) }))}
        />
      </Field>
      <ValueField
        key={`${type} ${variable.widget} ${variable.choices?.length ? 'choice' : ''}`}
        variable={variable}
      />
      {type === 'Text' && (
        <>
          {!variable.choices && (
            // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is inside.
            <label className="flex items-center gap-2 text-sm">
              <Checkbox
                checked={variable.widget === 'colour'}
                disabled={!session.canEdit}
                onCheckedChange={(on) => {
                  change({ widget: on === true ? 'colour' : undefined }, 'widget')
                  settle()
                }}
              />
              {t('variables.color')}
            </label>
          )}
          {variable.widget !== 'colour' && <ChoicesField variable={variable} />}
        </>
      )}
      <Field label={t('variables.description')}>
        <Input
          value={variable.description ?? ''}
          maxLength={500}
          placeholder={t('variables.descriptionHint')}
          disabled={!session.canEdit}
          onChange={(event) => change({ description: event.target.value || undefined }, 'description')}
          onBlur={settle}
        />
      </Field>
    </>
  )
}

/** A name that the variable cannot have is kept as text, and says why. */
function NameField({ variable }: { variable: FlowVariable }) {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const [draft, setDraft] = useState<string | null>(null)
  const text = draft ?? variable.name
  const typed = text.trim()
  const wrong = nameError(session.document, session.catalog, typed, variable.name)
  const node = wrong && 'node' in wrong ? findNode(session.document, wrong.node) : undefined
  const title = node ? titleOf(node, session.catalog) : ''
  const commit = () => {
    if (wrong) return
    setDraft(null)
    if (typed === variable.name) return
    session.edit((flow) => renameVariable(flow, session.catalog, variable.name, typed))
    session.flow.settle()
    session.view.setState({ variable: typed })
  }
  return (
    <Field
      label={t('variables.name')}
      required
      error={wrong ? t(`variables.error.${wrong.code}`, { node: title }) : undefined}
    >
      <Input
        value={text}
        maxLength={MAX_NAME_LENGTH + 1}
        spellCheck={false}
        autoCapitalize="off"
        disabled={!session.canEdit}
        className="font-mono"
        onChange={(event) => setDraft(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit()
          if (event.key === 'Escape' && typed !== variable.name) {
            event.stopPropagation()
            setDraft(null)
          }
        }}
      />
    </Field>
  )
}

function ValueField({ variable }: { variable: FlowVariable }) {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const errorText = useValueErrorText()
  const [wrong, setWrong] = useState<{ readonly value: unknown } | null>(null)
  const schema = schemaOf(variable)
  const value = wrong ? wrong.value : variable.value
  const change = (next: unknown) => {
    const given = next ?? emptyOf(variable)
    if (valueError(schema, given) !== null || !canHold(given)) return setWrong({ value: given })
    setWrong(null)
    session.edit(
      (flow) => changeVariable(flow, variable.name, { value: given }),
      `variable.${variable.name}.value`,
    )
  }
  const problem = !wrong
    ? undefined
    : (errorText(valueError(schema, wrong.value)) ??
      t(
        textOfValue(wrong.value).length > MAX_VALUE_LENGTH
          ? 'variables.error.value'
          : 'variables.error.media',
      ))
  return (
    <Field label={t('variables.value')} error={problem}>
      <SettingControl
        field={{
          name: 'value',
          title: t('variables.value'),
          schema,
          advanced: false,
          main: false,
          group: null,
          required: true,
        }}
        typeId=""
        value={value}
        place={`${session.flowId}/variable.${variable.name}`}
        disabled={!session.canEdit}
        onChange={change}
        onSettle={() => session.flow.settle()}
      />
    </Field>
  )
}

const SCHEMAS: Record<VariableType, Schema> = {
  Text: { type: 'string', maxLength: MAX_VALUE_LENGTH, 'x-ui': { widget: 'long_text' } },
  Number: { type: 'number' },
  Integer: { type: 'integer' },
  Boolean: { type: 'boolean' },
  Json: { 'x-ui': { widget: 'json' } },
}

function schemaOf({ type, choices, widget }: FlowVariable): Schema {
  if (type === 'Text' && choices?.length) return { type: 'string', enum: choices }
  if (type === 'Text' && widget === 'colour') return { type: 'string', 'x-ui': { widget: 'colour' } }
  return SCHEMAS[type] ?? SCHEMAS.Json
}

function emptyOf({ type }: FlowVariable): unknown {
  return type === 'Json' ? [] : convertValue(null, type)
}

/** The allowed values of a text, one per line; the value is always one of them. */
function ChoicesField({ variable }: { variable: FlowVariable }) {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const own = (variable.choices ?? []).join('\n')
  const [typed, setTyped] = useState(own)
  const [isDirty, setDirty] = useState(false)
  const commit = () => {
    setDirty(false)
    const lines = [...new Set(typed.split('\n').map((line) => line.trim()))].filter(Boolean).slice(0, 100)
    const value = String(variable.value)
    const choices = lines.length === 0 || lines.includes(value) ? lines : [value, ...lines].slice(0, 100)
    const next = choices.length > 0 ? choices : undefined
    session.edit((flow) => changeVariable(flow, variable.name, { choices: next }))
    session.flow.settle()
    setTyped((next ?? []).join('\n'))
  }
  return (
    <Field label={t('variables.choices')} help={t('variables.choicesHelp')}>
      <Textarea
        rows={2}
        value={isDirty ? typed : own}
        disabled={!session.canEdit}
        onChange={(event) => {
          setDirty(true)
          setTyped(event.target.value)
        }}
        onBlur={() => isDirty && commit()}
      />
    </Field>
  )
}
