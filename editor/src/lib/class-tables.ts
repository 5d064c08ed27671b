// A script of its own task: the first call makes the tables of all classes, which would delay the first render.
import { classes } from './classes'

classes('')
