/** Web storage that may be forbidden, full or hold nonsense: then there is simply nothing in it. */
function safeStorage(area: () => Storage) {
  return {
    read<T>(key: string): T | null {
      try {
        const text = area().getItem(key)
        return text === null ? null : (JSON.parse(text) as T)
      } catch {
        return null
      }
    },
    write(key: string, value: unknown): void {
      try {
        if (value === null || value === undefined) area().removeItem(key)
        else area().setItem(key, JSON.stringify(value))
      } catch {
        // What cannot be kept is forgotten at the next reload; nothing else depends on it.
      }
    },
  }
}

/** Shared by all tabs, kept until removed. */
export const localStore = safeStorage(() => window.localStorage)
/** This tab's own, gone with it. */
export const sessionStore = safeStorage(() => window.sessionStorage)
