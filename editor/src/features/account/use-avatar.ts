import { type ChangeEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { setAvatar } from '@/lib/api/users'
import { toast, toastError, toastSuccess } from '@/lib/toasts'

const LARGEST = 20_000_000

/** From choosing a file over cutting it to having it stored. */
export function useAvatar() {
  const { t } = useTranslation('account')
  const chooser = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<File | null>(null)
  const [busy, setBusy] = useState(false)

  function refuse(description = t('avatar.unreadable')) {
    setFile(null)
    toast({ title: t('avatar.failed'), description, tone: 'error' })
  }

  function take(event: ChangeEvent<HTMLInputElement>) {
    const chosen = event.target.files?.[0]
    // The same file may be chosen again.
    event.target.value = ''
    if (!chosen) return
    if (chosen.size > LARGEST) refuse(t('avatar.tooLarge'))
    else setFile(chosen)
  }

  async function save(picture: File) {
    setBusy(true)
    try {
      await setAvatar(picture)
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
    save: (picture: File) => void save(picture),
    refuse: () => refuse(),
    cancel: () => setFile(null),
    choose: () => chooser.current?.click(),
    input: {
      ref: chooser,
      type: 'file',
      accept: 'image/png,image/jpeg,image/webp',
      tabIndex: -1,
      onChange: take,
    },
  } as const
}
