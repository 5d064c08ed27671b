import { useSuspenseQuery } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { signOut } from '@/lib/api/identity'
import { currentUserQuery } from '@/lib/api/users'
import { useTitle } from '@/lib/use-title'
import { ApiKeys } from './api-keys'
import { ChangePassword } from './change-password'
import { ImageStack } from './image-stack'
import { ProfileCard } from './profile-card'
import { ProviderKeys } from './provider-keys'
import { QuotaCard } from './quota-card'
import { YourData } from './your-data'

/** Everything about oneself: picture, quota, use cases, password, data. */
export function AccountPage() {
  const { t } = useTranslation('account')
  const { data: user } = useSuspenseQuery(currentUserQuery)
  useTitle(t('title'))
  return (
    <div className="mx-auto w-full max-w-228 px-4 pt-6 pb-16 sm:pt-9">
      <h1 className="font-serif text-heading">{t('title')}</h1>
      <div className="mt-5.5 grid items-start gap-4.5 md:grid-cols-[300px_minmax(0,1fr)]">
        <div className="flex flex-col gap-4.5">
          <ProfileCard user={user} />
          <QuotaCard quota={user.quota} />
          <Button className="w-full" onClick={() => void signOut().catch(() => undefined)}>
            <LogOut />
            {t('logout')}
          </Button>
        </div>
        <div className="flex min-w-0 flex-col gap-4.5">
          <ImageStack />
          <ChangePassword />
          <ProviderKeys />
          <ApiKeys />
          <YourData />
        </div>
      </div>
    </div>
  )
}
