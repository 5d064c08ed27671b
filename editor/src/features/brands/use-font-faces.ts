import { useEffect, useState } from 'react'
import type { BrandFontFile } from '@/lib/api/brand-fonts'

/** The CSS family that the page gives a brand's font: no other font of the page has that name. */
export function cssFamilyOf(family: string): string {
  return `brand ${family.replace(/["\\]/g, '')}`
}

/**
 * Loads the font files into the page while the component is shown, and returns the families that are loaded.
 * `urls` are by `asset_id`.
 */
export function useFontFaces(
  files: readonly BrandFontFile[],
  urls: Readonly<Record<string, string>>,
): ReadonlySet<string> {
  const [loaded, setLoaded] = useState<ReadonlySet<string>>(new Set())
  const key = files.map(({ asset_id }) => asset_id).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new signature of the same file loads nothing
  useEffect(() => {
    let isShown = true
    const faces = files.flatMap(({ asset_id, family, weight, italic }) => {
      const url = urls[asset_id]
      if (!url) return []
      const style = italic ? 'italic' : 'normal'
      const face = new FontFace(cssFamilyOf(family), `url("${url}")`, { weight: `${weight ?? 400}`, style })
      document.fonts.add(face)
      face.load().then(
        () => isShown && setLoaded((before) => new Set([...before, family])),
        () => document.fonts.delete(face),
      )
      return [face]
    })
    return () => {
      isShown = false
      for (const face of faces) document.fonts.delete(face)
    }
  }, [key])
  return loaded
}
