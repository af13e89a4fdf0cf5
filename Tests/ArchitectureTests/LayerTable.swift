/// Which modules each module may import; see "Layers" in docs/design.md.
enum LayerTable {
  /// What every module may import.
  static let system: Set<String> = ["Glibc", "Dispatch", "FoundationEssentials"]

  /// Swift modules of this package with the modules of this package they may import.
  static let modules: [String: Set<String>] = [
    "Locking": [],
    "CameraModel": [],
    "Boards": [],
    "Imaging": ["Locking", "CameraModel", "CImageCodecs", "CPixelKernels", "CSubprocess"],
    "CalibrationStore": ["CameraModel"],
    "CornerTables": ["CameraModel", "Boards", "CalibrationStore"],
    "V4L2": ["CV4L2", "Locking", "CameraModel", "Imaging", "CalibrationStore"],
    "CalibrationFormats": ["CameraModel", "CalibrationStore", "CYAML", "CExpat"],
    "Frames": ["CameraModel", "Imaging", "CalibrationStore"],
    "CameraCapture": ["V4L2", "Frames", "Imaging", "CalibrationStore", "CameraModel", "Locking"],
    "OpenCV": ["OpenCVBridge", "CameraModel", "Imaging", "Boards"],
    "BoardDetection": ["CameraModel", "Imaging", "Boards", "OpenCV", "CCornerKernels"],
    "CalibrationSolver": ["CameraModel", "Locking"],
    "Calibration": [
      "Frames", "Imaging", "CameraModel", "Boards", "BoardDetection", "CalibrationSolver", "OpenCV",
      "CalibrationStore", "CornerTables", "Locking",
    ],
    "CalibrationComparison": ["CalibrationSolver", "CalibrationStore", "CameraModel"],
    "BoardPrinting": ["Boards", "Imaging", "CCairo"],
    "CommandLineTool": ["Locking"],
    "StoreCommands": ["CalibrationStore", "CameraModel", "CommandLineTool"],
    "CameraIntrinsics": [
      "CameraModel", "Imaging", "CalibrationStore", "Frames", "CameraCapture",
    ],
    "calibrate": [
      "Calibration", "BoardDetection", "CameraCapture", "V4L2", "Frames", "Imaging",
      "CommandLineTool", "StoreCommands", "CameraModel", "Boards", "CalibrationStore",
      "CornerTables", "Locking",
    ],
    "show-intrinsics": [
      "CalibrationStore", "CalibrationFormats", "CameraModel", "CommandLineTool", "StoreCommands",
    ],
    "import-calibration": [
      "CalibrationStore", "CalibrationFormats", "CameraModel", "CommandLineTool", "StoreCommands",
    ],
    "make-board": [
      "BoardPrinting", "Boards", "CalibrationStore", "CommandLineTool", "StoreCommands",
    ],
    "compare-calibrations": [
      "CalibrationComparison", "CalibrationFormats", "CalibrationStore", "CameraModel",
      "CommandLineTool", "StoreCommands",
    ],
    "list-cameras": [
      "V4L2", "Imaging", "CalibrationStore", "CameraModel", "CommandLineTool", "StoreCommands",
    ],
  ]

  /// C and C++ targets: they import no Swift module.
  static let clangTargets: Set<String> = [
    "CYAML", "CExpat", "CCairo", "CImageCodecs", "CPixelKernels", "CSubprocess", "CV4L2",
    "CCornerKernels", "OpenCVBridge",
  ]

  /// Imports beyond the table, each with its reason.
  static let exceptions: [String: Set<String>] = [
    // `Atomic` for the flag that a signal handler sets; a lock may not be taken there.
    "CommandLineTool/Interruption.swift": ["Synchronization"],
    // `Atomic` where a pass over the views takes less time than to wake a thread that waits at a lock.
    "Locking/WorkerThread.swift": ["Synchronization"],
    "Locking/Parallel.swift": ["Synchronization"],
  ]

  /// Modules from which OpenCV must not be reachable: what is linked into apps, and commands that
  /// have to start in milliseconds.
  static let withoutOpenCV = [
    "CameraIntrinsics", "show-intrinsics", "import-calibration", "make-board", "list-cameras",
    "compare-calibrations",
  ]

  /// Files that may be longer than `longestFile` lines, each with its reason.
  static let longFiles: [String: String] = [:]

  /// From here on a file is expected to hold more than one idea.
  static let longestFile = 500
}
