import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { insertConfiguredNode, pasteText } from '@/document/actions'
import type { Session } from '@/document/session'
import { useSession } from '@/document/use-session'
import { type AssetType, assetType, type NodeType } from '@/graph/catalog'
import type { Point } from '@/graph/document'
import {
  announceImport,
  importAgent,
  isZip,
  namesOf,
  READING_MS,
  toastImportFailed,
} from '@/lib/agents/agent-file'
import { uploadAsset } from '@/lib/api/uploads'
import { usePageDrop } from '@/lib/launch/use-page-drop'
import { useProvenance } from '@/lib/launch/use-provenance'
import { toast, toastError } from '@/lib/toasts'

const CASCADE_OFFSET = 40

/**
 * Handles files dropped on the canvas or pasted: an image, video or audio file becomes an input node that holds
 * it, an agent file becomes its nodes, a zip with its assets. For a file that an agent made, offers to open that agent.
 */
export function useFileDrop(): { over: boolean; uploading: string | null } {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const navigate = useNavigate()
  const trace = useProvenance()
  const [uploading, setUploading] = useState<string | null>(null)

  async function addFile(file: File, at: Point | undefined) {
    if (file.type === 'application/json' || file.name.endsWith('.json')) {
      if (!pasteText(session, await file.text(), at))
        toast({ title: t('files.unreadable', { name: file.name }) })
      return
    }
    if (isZip(file)) {
      await addAgent(file, at)
      return
    }
    const type = typeFor(session, assetType(file.type))
    if (!type?.input) {
      toast({ title: t('files.noNode', { name: file.name }) })
      return
    }
    setUploading(file.name)
    try {
      insertConfiguredNode(session, type, { [type.input]: await uploaded(file) }, at)
    } catch (error) {
      toastError(t('files.failed', { name: file.name }), error)
    }
  }

  /** Imports an agent with its assets, and adds its nodes. */
  async function addAgent(file: File, at: Point | undefined) {
    setUploading(file.name)
    announceImport(file)
    try {
      const { flow, missing } = await importAgent(file)
      pasteText(session, JSON.stringify(flow.flow), at)
      toast({
        title: t('files.added', { name: flow.name }),
        description:
          missing.length > 0
            ? t('files.addedWithout', { count: missing.length, names: namesOf(missing) })
            : t('files.addedText'),
        duration: READING_MS,
        action: {
          label: t('files.openAgent'),
          onPress: () => void navigate({ to: '/flow/$flowId', params: { flowId: flow.id } }),
        },
      })
    } catch (error) {
      toastImportFailed(error, file, () => void addFiles([file], undefined))
    }
  }

  async function addFiles(files: readonly File[], screen: Point | undefined) {
    const first = screen && session.viewport?.toFlowPosition(screen)
    for (const [turn, file] of files.entries()) {
      await addFile(
        file,
        first && { x: first.x - 116 + turn * CASCADE_OFFSET, y: first.y - 21 + turn * CASCADE_OFFSET },
      )
    }
    setUploading(null)
  }

  const over = usePageDrop({
    onFiles: (files, screen) => {
      void addFiles(files, screen)
      trace(files.filter((file) => !isZip(file)))
    },
  })
  return { over, uploading }
}

async function uploaded(file: File) {
  const { id: asset_id, kind, media_type, width, height, seconds, name } = await uploadAsset(file)
  return { $type: assetType(kind), asset_id, media_type, width, height, seconds, name }
}

/** The input node whose output has this type. */
function typeFor({ catalog }: Session, kind: AssetType): NodeType | undefined {
  return catalog.types.find(
    ({ input, deprecated, outputs }) =>
      input && !deprecated && outputs.some((port) => port.type === kind && !port.list),
  )
}
