import { describe, expect, it } from 'vitest'
import { checkFiles } from './files'

const file = (name: string, type: string) => new File(['x'], name, { type })

describe('checkFiles', () => {
  it('accepts HEIC and AVIF images, also where the browser does not know their type', () => {
    const files = [file('a.HEIC', ''), file('b.heif', 'image/heif'), file('c.avif', 'image/avif')]
    expect(checkFiles(files).accepted).toEqual(files)
  })

  it('refuses a video as an image', () => {
    expect(checkFiles([file('clip.mov', 'video/quicktime')]).rejected).toEqual([
      { name: 'clip.mov', reason: 'not_an_image' },
    ])
  })
})
