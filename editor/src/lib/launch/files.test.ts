import { describe, expect, it } from 'vitest'
import { checkFiles, filesIn, hasFiles, hasText, MAX_UPLOAD_BYTES } from './files'

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

it.each([
  [MAX_UPLOAD_BYTES, []],
  [MAX_UPLOAD_BYTES + 1, [{ name: 'a.png', reason: 'too_big' }]],
  [1, []],
  [0, [{ name: 'a.png', reason: 'empty' }]],
])('checks the size of a file of %d bytes', (size, rejected) => {
  const sized = Object.defineProperty(file('a.png', 'image/png'), 'size', { value: size })
  expect(checkFiles([sized]).rejected).toEqual(rejected)
})

describe('what is dragged or pasted', () => {
  const transfer = (types: string[], text = '', files: File[] = []) =>
    ({ types, files, getData: () => text }) as unknown as DataTransfer

  it('has the files that it carries', () => {
    const files = [file('a.png', 'image/png')]
    expect(filesIn(transfer(['Files'], '', files))).toEqual(files)
    expect(filesIn(null)).toEqual([])
  })

  it('is a drag of files by its types, before the files are known', () => {
    expect([transfer(['Files']), transfer(['text/plain']), null].map(hasFiles)).toEqual([true, false, false])
  })

  it('has formatted text unless that is only spaces', () => {
    const formatted = transfer(['text/html', 'text/plain', 'Files'], 'Words')
    const others = [transfer(['text/html', 'Files'], ' \n'), transfer(['text/plain'], 'Words'), null]
    expect([formatted, ...others].map(hasText)).toEqual([true, false, false, false])
  })
})
