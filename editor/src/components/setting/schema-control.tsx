import { Plus, X } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Checkbox } from '@/components/checkbox'
import { Field } from '@/components/field'
import { IconButton } from '@/components/icon-button'
import { Input } from '@/components/input'
import { Select } from '@/components/select'
import {
  exampleOf,
  FIELD_TYPES,
  type FieldType,
  fieldTypeOf,
  isFormSchema,
  isJsonObject,
  type JsonSchema,
  type NamedField,
  namedFieldsOf,
  unusedName,
  withExample,
  withFieldType,
  withNamedFields,
} from '@/graph/schema-fields'
import { isOptional } from '@/graph/widgets'
import { type ControlProps, groupAccess, NestedControl, useRowFocus } from './control-props'
import { FormOrJson } from './form-or-json'
import { partAttributes } from './go-to-part'
import { NameInput } from './name-input'

/** Nesting depth up to which a field can become a group or a list; deeper ones are kept as they are. */
const MAX_FIELD_DEPTH = 4

/** Edits a JSON Schema: the fields that an answer must have, with groups and lists of them. */
export function SchemaControl(props: ControlProps) {
  const { field, value, onChange, compact } = props
  const { t } = useTranslation('inspector')
  const schema = isJsonObject(value) ? value : {}
  const count = namedFieldsOf(schema).length
  if (compact) return <p className="text-muted">{t('structure.fields', { count })}</p>
  const isEmptied = (next: JsonSchema) => namedFieldsOf(next).length === 0 && isOptional(field.schema)
  return (
    <FormOrJson {...props} hasForm={isFormSchema(value)}>
      <Fields
        group={groupAccess(props)}
        schema={schema}
        depth={1}
        disabled={props.disabled}
        onChange={(next) => onChange(isEmptied(next) ? undefined : next)}
        onSettle={props.onSettle}
      />
    </FormOrJson>
  )
}

type PartProps = {
  schema: JsonSchema
  depth: number
  onChange: (schema: JsonSchema) => void
  onSettle: () => void
  disabled?: boolean
}

type FieldsProps = PartProps & {
  /** The ARIA attributes of the group. */
  group: { id?: string; 'aria-label': string; 'aria-describedby'?: string }
}

function Fields({ group, schema, depth, onChange, onSettle, disabled = false }: FieldsProps) {
  const { t } = useTranslation('inspector')
  const fields = namedFieldsOf(schema)
  const names = fields.map(({ name }) => name)
  const { rows, focusNext } = useRowFocus(fields.length)
  const put = (next: readonly NamedField[]) => onChange(withNamedFields(schema, next))
  const putAtOnce = (next: readonly NamedField[], focus: number) => {
    focusNext(focus)
    put(next)
    onSettle()
  }
  return (
    <fieldset ref={rows} {...group} className="flex min-w-0 flex-col gap-2">
      {fields.map((field, at) => (
        <FieldRow
          // biome-ignore lint/suspicious/noArrayIndexKey: a row keeps its focus while its name changes
          key={at}
          field={field}
          taken={names.toSpliced(at, 1)}
          depth={depth}
          disabled={disabled}
          onChange={(next) => put(fields.with(at, next))}
          onSettle={onSettle}
          onRemove={() => putAtOnce(fields.toSpliced(at, 1), Math.max(0, at - 1))}
        />
      ))}
      {!disabled && (
        <Button
          size="sm"
          variant="ghost"
          className="self-start"
          onClick={() => {
            const name = unusedName(t('structure.newName'), names)
            putAtOnce([...fields, { name, schema: { type: 'string' }, required: true }], fields.length)
          }}
        >
          <Plus aria-hidden />
          {t('structure.addField')}
        </Button>
      )}
    </fieldset>
  )
}

type FieldRowProps = {
  field: NamedField
  taken: readonly string[]
  depth: number
  disabled: boolean
  onChange: (field: NamedField) => void
  onSettle: () => void
  onRemove: () => void
}

function FieldRow({ field, taken, depth, disabled, onChange, onSettle, onRemove }: FieldRowProps) {
  const { t } = useTranslation('inspector')
  const id = useId()
  const { name, schema, required } = field
  const describe = (text: string) => {
    const { description: _, ...rest } = schema
    onChange({ ...field, schema: text === '' ? rest : { ...rest, description: text } })
  }
  return (
    <fieldset
      data-row
      {...partAttributes('properties', name)}
      aria-label={name}
      className="flex min-w-0 flex-col gap-2 rounded-m border border-hairline bg-paper/60 p-2.5"
    >
      <div className="flex items-start gap-1">
        <NameInput
          name={name}
          taken={taken}
          label={t('structure.name')}
          disabled={disabled}
          onRename={(next) => onChange({ ...field, name: next })}
          onSettle={onSettle}
        />
        {!disabled && (
          <IconButton
            size="sm"
            label={t('structure.removeField', { name })}
            icon={<X />}
            onClick={onRemove}
          />
        )}
      </div>
      <TypeOfField
        title={name}
        schema={schema}
        depth={depth}
        disabled={disabled}
        label={t('structure.type')}
        onChange={(next) => onChange({ ...field, schema: next })}
        onSettle={onSettle}
      >
        <Field label={t('structure.description')}>
          <Input
            {...partAttributes('description')}
            value={typeof schema.description === 'string' ? schema.description : ''}
            disabled={disabled}
            onChange={(event) => describe(event.target.value)}
            onBlur={onSettle}
          />
        </Field>
      </TypeOfField>
      <div className="flex min-h-7 items-center gap-2">
        <Checkbox
          id={`${id}-required`}
          checked={required}
          disabled={disabled}
          onCheckedChange={(checked) => {
            onChange({ ...field, required: checked === true })
            onSettle()
          }}
        />
        <label htmlFor={`${id}-required`} className="text-sm">
          {t('structure.required')}
        </label>
      </div>
    </fieldset>
  )
}

type TypeOfFieldProps = PartProps & {
  /** The name of the field, for accessible names. */
  title: string
  label: string
  /** Whether this is the type of the items of a list. */
  isItem?: boolean
  /** What stands between the type and what belongs to it. */
  children?: ReactNode
}

/** The type of a field, with the choices, items or nested fields that belong to it. */
function TypeOfField({
  title,
  schema,
  depth,
  label,
  isItem,
  children,
  disabled,
  ...actions
}: TypeOfFieldProps) {
  const { onChange, onSettle } = actions
  const { t } = useTranslation('inspector')
  const type = fieldTypeOf(schema)
  const example = exampleOf(schema)
  const offered = FIELD_TYPES.filter(
    (one) => depth < MAX_FIELD_DEPTH || (one !== 'array' && one !== 'object'),
  )
  const types: readonly FieldType[] = offered.some((one) => one === type) ? offered : [...offered, type]
  const nested = { onSettle, ...(disabled !== undefined && { disabled }) }
  const items = isJsonObject(schema.items) ? schema.items : { type: 'string' }
  return (
    <>
      <Select
        {...partAttributes('type')}
        aria-label={label}
        value={type}
        disabled={disabled}
        choices={types.map((one) => ({ value: one, label: t(`structure.types.${one}`) }))}
        onValueChange={(next) => {
          if (next !== 'other' && next !== type) onChange(withFieldType(schema, next))
          onSettle()
        }}
      />
      {type === 'other' && <p className="text-muted text-xs">{t('structure.otherType')}</p>}
      {children}
      {example !== null && (
        <Field label={t('structure.example')}>
          <Input
            aria-label={isItem ? t('structure.exampleOfItems', { name: title }) : undefined}
            type={type === 'string' ? 'text' : 'number'}
            step={type === 'integer' ? 1 : 'any'}
            value={example}
            disabled={disabled}
            onChange={(event) => onChange(withExample(schema, event.target.value))}
            onBlur={onSettle}
          />
        </Field>
      )}
      {type === 'choice' && (
        <div {...partAttributes('enum')}>
          <NestedControl
            {...nested}
            field={choicesField(t('structure.choicesOf', { name: title }))}
            typeId=""
            value={schema.enum}
            onChange={(next) => onChange({ ...schema, enum: next ?? [] })}
          />
        </div>
      )}
      {type === 'object' && (
        <div className="border-hairline border-l-2 pl-2.5">
          <Fields
            {...nested}
            group={{ 'aria-label': t('structure.fieldsOf', { name: title }) }}
            schema={schema}
            depth={depth + 1}
            onChange={onChange}
          />
        </div>
      )}
      {type === 'array' && (
        <div
          {...partAttributes('items')}
          className="flex min-w-0 flex-col gap-2 border-hairline border-l-2 pl-2.5"
        >
          <TypeOfField
            {...nested}
            title={title}
            schema={items}
            depth={depth + 1}
            label={t('structure.itemsOf', { name: title })}
            isItem
            onChange={(next) => onChange({ ...schema, items: next })}
          />
        </div>
      )}
    </>
  )
}

function choicesField(title: string) {
  const schema = { type: 'array', items: { type: 'string' } }
  return { name: 'enum', title, schema, advanced: false, main: false, group: null, required: false }
}
