import { i18n } from '.'
import { runs } from './en/runs'

/** Adds the texts of a run's page and of players; imported by their chunks, so that they load with them. */
i18n.addResourceBundle('en', 'runs', runs)
