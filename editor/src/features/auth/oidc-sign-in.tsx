import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { FormError } from '@/components/form-error'
import { providersQuery } from '@/lib/api/identity'

type OidcSignInProps = { next: string | undefined; failed: boolean }

/** The ways in through other services, where the operator has set one up. */
export function OidcSignIn({ next, failed }: OidcSignInProps) {
  const { t } = useTranslation('auth')
  const { data: providers } = useQuery(providersQuery)
  if (!providers?.length) return null
  return (
    <>
      <FormError title={failed ? t('login.outsideFailed') : null} />
      <div className="flex items-center gap-3 text-faint text-xs before:h-px before:flex-1 before:bg-hairline after:h-px after:flex-1 after:bg-hairline">
        {t('login.or')}
      </div>
      {providers.map(({ name, start_url }) => (
        <Button key={name} size="lg" shape="block" asChild>
          <a href={startAt(start_url, next)}>{t('login.outside', { name })}</a>
        </Button>
      ))}
    </>
  )
}

/** The way leads back over the sign-in page, which takes up the session that the cookie holds. */
function startAt(url: string, next: string | undefined): string {
  const back = next ? `/login?arrived=true&next=${encodeURIComponent(next)}` : '/login?arrived=true'
  return `${url}?return_to=${encodeURIComponent(back)}`
}
