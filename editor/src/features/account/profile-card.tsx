import { useQuery } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { type ChangeEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Avatar } from '@/components/avatar'
import { IconButton } from '@/components/icon-button'
import { ImageCrop } from '@/components/image-crop'
import { Card } from '@/components/surfaces'
import { type CurrentUser, rolesQuery, setAvatar } from '@/lib/api/users'
import { toast, toastError, toastSuccess } from '@/lib/toasts'

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
      <h2 className="wrap-anywhere font-semibold text-lg">
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
  return <p className="wrap-anywhere mt-1 text-muted text-xs">{label ? `${label}, ${company}` : company}</p>
}

const MAX_AVATAR_BYTES = 20_000_000

/** Chooses, crops and uploads an avatar. */
export function useAvatar() {
  const { t } = useTranslation('account')
  const chooser = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<File | null>(null)
  const [busy, setBusy] = useState(false)

  function rejectFile(description = t('avatar.unreadable')) {
    setFile(null)
    toast({ title: t('avatar.failed'), description, tone: 'error' })
  }

  function chooseFile(event: ChangeEvent<HTMLInputElement>) {
    const chosen = event.target.files?.[0]
    // Allows choosing the same file again.
    event.target.value = ''
    if (!chosen) return
    if (chosen.size > MAX_AVATAR_BYTES) rejectFile(t('avatar.tooLarge'))
    else setFile(chosen)
  }

  async function save(image: File) {
    setBusy(true)
    try {
      await setAvatar(image)
      setFile(null)
      toastSuccess(t('avatar.updated'))
    } catch (error) {
      toastError(t('avatar.failed'), error)
    }
    setBusy(false)
  }

  return {
    file,
    busy,
    save: (image: File) => void save(image),
    refuse: () => rejectFile(),
    cancel: () => setFile(null),
    choose: () => chooser.current?.click(),
    input: {
      ref: chooser,
      type: 'file',
      accept: 'image/png,image/jpeg,image/webp',
      tabIndex: -1,
      onChange: chooseFile,
    },
  } as const
}
