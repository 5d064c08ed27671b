import { i18n } from '.'
import { conditions } from './en/conditions'

/** Adds the texts of the condition builder; imported by its chunk, so that it loads with it. */
i18n.addResourceBundle('en', 'conditions', conditions)
