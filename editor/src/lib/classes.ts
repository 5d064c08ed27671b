import { type ClassValue, clsx } from 'clsx'
import { extendTailwindMerge } from 'tailwind-merge'

const merge = extendTailwindMerge({
  extend: {
    classGroups: {
      'font-size': [
        { text: ['micro', 'xs', 'sm', 'base', 'md', 'lg', 'title', 'heading', 'display', 'hero'] },
      ],
      shadow: [{ shadow: ['card', 'float'] }],
      rounded: [{ rounded: ['xs', 's', 'field', 'm', 'l', 'xl', 'pill'] }],
    },
  },
})

/** Joins class names; of two for the same property, the later one wins. */
export function classes(...values: ClassValue[]): string {
  return merge(clsx(values))
}
