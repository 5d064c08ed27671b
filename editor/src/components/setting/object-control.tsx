import { Plus, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Field } from '@/components/field'
import { FieldButton } from '@/components/field-button'
import { withoutNull } from '@/graph/ports'
import { membersOf, type SettingField } from '@/graph/setting-fields'
import { ownValueError } from '@/graph/validate'
import { isOptional } from '@/graph/widgets'
import { type ControlProps, groupAccess, NestedControl } from './control-props'
import { FormOrJson } from './form-or-json'
import { partAttributes } from './go-to-part'
import { useValueErrorText } from './value-error-text'

type Fields = Readonly<Record<string, unknown>>

/** A nested form: each field of the object with the control of its schema. */
export function ObjectControl(props: ControlProps) {
  const { field, value, onChange, onSettle, disabled } = props
  const { t } = useTranslation('inspector')
  const optional = isOptional(field.schema)
  const put = (next: unknown) => {
    onChange(next)
    onSettle()
  }
  if (props.compact) return <FilledCount {...props} />
  if (optional && !isFields(value)) {
    return (
      <fieldset {...groupAccess(props)}>
        <Button size="sm" disabled={disabled} onClick={() => put({})}>
          <Plus aria-hidden />
          {t('object.add')}
        </Button>
      </fieldset>
    )
  }
  const form = (
    <fieldset
      {...groupAccess(props)}
      className="flex min-w-0 flex-col gap-3.5 rounded-m border border-hairline bg-paper/60 p-3"
    >
      <Members {...props} />
      {optional && !disabled && (
        <Button
          size="sm"
          variant="ghost"
          className="self-end"
          onClick={() => put(field.schema.default ? null : undefined)}
        >
          <X aria-hidden />
          {t('object.remove')}
        </Button>
      )}
    </fieldset>
  )
  if (!isData(props) || props.depth) return form
  return (
    <FormOrJson {...props} hasForm>
      {form}
    </FormOrJson>
  )
}

/** Whether the value is that of a data input, whose fields the agent's builder has named. */
const isData = ({ typeId }: Pick<ControlProps, 'typeId'>) => typeId === 'data'

/** The fields, each with its error below. */
export function Members(props: ControlProps) {
  const fields = isFields(props.value) ? props.value : {}
  const change = (name: string, next: unknown) => {
    const { [name]: _, ...rest } = fields
    props.onChange(next === undefined ? rest : { ...fields, [name]: next })
  }
  return membersOf(withoutNull(props.field.schema)).map((field) => (
    <Member
      key={field.name}
      {...props}
      field={field}
      value={field.name in fields ? fields[field.name] : field.schema.default}
      onChange={(next) => change(field.name, next)}
    />
  ))
}

type MemberProps = ControlProps & { field: SettingField }

function Member({ field, typeId, value, onChange, onSettle, disabled, place, depth = 0 }: MemberProps) {
  const { t } = useTranslation('inspector')
  const errorText = useValueErrorText()
  // A switch or a choice cannot be emptied, and an empty text is not the same as none.
  const canClear =
    isData({ typeId }) && !disabled && !field.required && !isFields(value) && value !== field.schema.default
  return (
    <Field
      part={partAttributes(field.name)}
      label={field.title}
      aside={
        canClear && (
          <FieldButton
            label={t('object.clear')}
            aria-label={t('object.clearOf', { title: field.title })}
            icon={<X />}
            onClick={() => {
              onChange(undefined)
              onSettle()
            }}
          />
        )
      }
      help={field.schema.description}
      error={errorText(ownValueError(field.schema, value, depth + 1))}
      required={field.required}
    >
      <NestedControl
        field={field}
        typeId={typeId}
        value={value}
        onChange={onChange}
        onSettle={onSettle}
        disabled={disabled}
        place={place && `${place}.${field.name}`}
        depth={depth + 1}
      />
    </Field>
  )
}

/** On a card, shows only how many fields are filled. */
function FilledCount({ field, value }: ControlProps) {
  const { t } = useTranslation('inspector')
  const names = membersOf(withoutNull(field.schema)).map((member) => member.name)
  const filled = isFields(value) ? names.filter((name) => value[name] !== undefined) : []
  return <p className="text-muted">{t('object.open', { filled: filled.length, count: names.length })}</p>
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
