import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Controller, useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { Button } from '@/components/button'
import { Field } from '@/components/field'
import { Input } from '@/components/input'
import { Select } from '@/components/select'
import { rolesQuery } from '@/lib/api/users'
import { i18n } from '@/lib/i18n'
import { answers } from '@/lib/onboarding'
import { ChoicesError } from './choices-error'
import { QuestionForm, useSavedAnswers } from './question-form'
import '@/lib/i18n/onboarding'

const required = (key: 'firstName' | 'lastName' | 'company' | 'role') =>
  z
    .string()
    .check(z.trim(), z.minLength(1, { error: () => i18n.t(`onboarding:required.${key}`) }), z.maxLength(120))

const schema = z.object({
  first_name: required('firstName'),
  last_name: required('lastName'),
  company: required('company'),
  role: required('role'),
})
type CompanyForm = z.infer<typeof schema>

/** Step 1: role and company. */
export function CompanyPage() {
  const { t } = useTranslation('onboarding')
  const navigate = useNavigate()
  const { next } = useSearch({ from: '/onboarding' })
  const roles = useQuery(rolesQuery)
  const form = useForm<CompanyForm>({
    resolver: standardSchemaResolver(schema),
    defaultValues: savedCompany(),
  })
  const { errors } = form.formState
  useSavedAnswers(form)
  const onSubmit = form.handleSubmit((company) => {
    answers.add(company)
    return navigate({ to: '/onboarding/why', search: { next } })
  })
  return (
    <QuestionForm title={t('company.title')} help={t('company.help')} onSubmit={onSubmit}>
      <div className="mx-auto my-8.5 grid max-w-120 gap-4.5 sm:grid-cols-2">
        <Field label={t('company.firstName')} error={errors.first_name?.message}>
          <Input autoComplete="given-name" autoFocus {...form.register('first_name')} />
        </Field>
        <Field label={t('company.lastName')} error={errors.last_name?.message}>
          <Input autoComplete="family-name" {...form.register('last_name')} />
        </Field>
        <Field label={t('company.company')} error={errors.company?.message} className="sm:col-span-2">
          <Input autoComplete="organization" {...form.register('company')} />
        </Field>
        <Controller
          control={form.control}
          name="role"
          render={({ field }) => (
            <Field label={t('company.role')} error={errors.role?.message} className="sm:col-span-2">
              <Select
                value={field.value}
                onValueChange={field.onChange}
                choices={roles.data ?? []}
                disabled={!roles.data}
                placeholder={t('company.choose')}
              />
            </Field>
          )}
        />
        {roles.isError && <ChoicesError onRetry={() => void roles.refetch()} />}
      </div>
      <div className="mx-auto flex max-w-120 justify-end">
        <Button type="submit" variant="primary" size="lg">
          {t('continue', { ns: 'common' })}
        </Button>
      </div>
    </QuestionForm>
  )
}

function savedCompany(): CompanyForm {
  const { first_name = '', last_name = '', company = '', role = '' } = answers.get()
  return { first_name, last_name, company, role }
}
