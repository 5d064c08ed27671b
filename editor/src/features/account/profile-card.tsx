import { useQuery } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Avatar } from '@/components/avatar'
import { Card } from '@/components/card'
import { IconButton } from '@/components/icon-button'
import { ImageCrop } from '@/components/image-crop'
import { type CurrentUser, rolesQuery } from '@/lib/api/users'
import { useAvatar } from './use-avatar'

export function ProfileCard({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('account')
  const avatar = useAvatar()
  const { info } = user
  return (
    <Card className="p-5.5 text-center">
      <div className="relative mx-auto mt-1.5 mb-3.5 w-27">
        <Avatar src={user.avatar_url} size={108} />
        <IconButton
          variant="quiet"
          size="sm"
          label={t('avatar.edit')}
          icon={<Pencil />}
          onClick={avatar.choose}
          className="absolute right-0 bottom-0"
        />
        <input {...avatar.input} aria-label={t('avatar.edit')} className="hidden" />
      </div>
      <h2 className="font-semibold text-lg">
        {info ? `${info.first_name} ${info.last_name}` : user.username}
      </h2>
      <p className="break-all text-muted">{user.email}</p>
      {info && <Occupation role={info.role} company={info.company} />}
      <ImageCrop
        file={avatar.file}
        title={t('avatar.title')}
        busy={avatar.busy}
        onCancel={avatar.cancel}
        onCrop={avatar.save}
        onUnreadable={avatar.refuse}
      />
    </Card>
  )
}

function Occupation({ role, company }: { role: string; company: string }) {
  const { data: roles } = useQuery(rolesQuery)
  const label = roles?.find(({ value }) => value === role)?.label
  return <p className="mt-1 text-muted text-xs">{label ? `${label}, ${company}` : company}</p>
}
