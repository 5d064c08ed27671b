import { useQuery } from '@tanstack/react-query'
import { Folder } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { Field } from '@/components/field'
import { Input } from '@/components/input'
import { EmptyState, Skeleton } from '@/components/surfaces'
import {
  addToCollection,
  type Collection,
  collectionsQuery,
  createCollection,
  renameCollection,
} from '@/lib/api/collections'
import { messageOf } from '@/lib/api/error'
import { useAttempt, useExclusive, wasRejected } from '@/lib/attempt'
import { toastSuccess } from '@/lib/toasts'

const MAX_NAME = 80

type AddDialogProps = { assetIds: readonly string[]; onClose: () => void; onAdded: () => void }

/** Puts assets into a collection, or into a new one. */
export function AddToCollectionDialog({ assetIds, onClose, onAdded }: AddDialogProps) {
  const { t } = useTranslation('assets')
  const open = assetIds.length > 0
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={t('addToCollection')}
      description={t('collectionHelp')}
      size="sm"
    >
      {open && <CollectionChoice assetIds={assetIds} onAdded={onAdded} />}
    </Dialog>
  )
}

function CollectionChoice({ assetIds, onAdded }: Pick<AddDialogProps, 'assetIds' | 'onAdded'>) {
  const { t } = useTranslation('assets')
  const collections = useQuery(collectionsQuery)
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string>()
  const attempt = useAttempt()
  const add = useExclusive(async (to: () => Promise<Collection>) => {
    setProblem(undefined)
    try {
      const collection = await to()
      await addToCollection(collection.id, assetIds)
      attempt.done()
      toastSuccess(t('added', { count: assetIds.length, name: collection.name }))
      onAdded()
    } catch (error) {
      setProblem(messageOf(error))
    }
  })
  /** Until the assets are in it, pressing Create again returns the same collection. */
  async function create(): Promise<Collection> {
    try {
      return await createCollection(name, attempt.keyOf(name))
    } catch (error) {
      if (wasRejected(error)) attempt.done()
      throw error
    }
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    if (name.trim()) void add(create)
  }
  return (
    <>
      {collections.isPending && <Skeleton className="h-24" />}
      {collections.isError && <EmptyState title={messageOf(collections.error)} />}
      {collections.data?.length === 0 && <p className="text-muted">{t('noCollections')}</p>}
      <ul className="scrollbar-quiet -mx-2 max-h-72 overflow-y-auto">
        {collections.data?.map((collection) => (
          <li key={collection.id}>
            <button
              type="button"
              onClick={() => void add(() => Promise.resolve(collection))}
              className="flex w-full items-center gap-3 rounded-m px-2 py-2 text-left hover:bg-sunken focus-visible:outline-offset-[-3px]"
            >
              <Folder aria-hidden className="size-4 flex-none text-muted" />
              <span className="min-w-0 flex-1 truncate font-semibold">{collection.name}</span>
              <span className="flex-none text-muted text-sm">
                {t('inCollection', { count: collection.assets })}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <form onSubmit={submit} className="flex flex-wrap items-end gap-2.5 border-hairline border-t pt-4">
        <Field label={t('newCollection')} error={problem} className="flex-1">
          <Input value={name} maxLength={MAX_NAME} onChange={(event) => setName(event.target.value)} />
        </Field>
        <Button type="submit" variant="primary" disabled={!name.trim()}>
          {t('create')}
        </Button>
      </form>
    </>
  )
}

type RenameDialogProps = { collection: Collection; onClose: () => void }

export function RenameCollectionDialog({ collection, onClose }: RenameDialogProps) {
  const { t } = useTranslation('assets')
  const form = useId()
  const [name, setName] = useState(collection.name)
  const [problem, setProblem] = useState<string>()
  const save = useExclusive(async () => {
    try {
      await renameCollection(collection.id, name)
      onClose()
    } catch (error) {
      setProblem(messageOf(error))
    }
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('renameTitle')}
      size="sm"
      footer={
        <Button type="submit" form={form} variant="primary" disabled={!name.trim()}>
          {t('save')}
        </Button>
      }
    >
      <form
        id={form}
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <Field label={t('collectionName')} error={problem}>
          <Input value={name} maxLength={MAX_NAME} onChange={(event) => setName(event.target.value)} />
        </Field>
      </form>
    </Dialog>
  )
}
