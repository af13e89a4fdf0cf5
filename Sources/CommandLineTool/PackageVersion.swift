/// The version of this package, as `--version` prints it and stored records name it.
package let packageVersion = "0.1.0"
