import CalibrationStore
import CameraModel
import Foundation
import Testing

@Suite("show-intrinsics")
struct ShowTests {
  @Test("without a device prints a table of all that is stored")
  func table() throws {
    try withTemporaryFolder { folder in
      let store = IntrinsicsStore(root: folder)
      try store.save(StoredCameras.record())
      try store.save(
        StoredCameras.record(StoredCameras.camera, width: 1280, height: 720, fx: 1400))
      let run = try Run("--store", folder)
      #expect(run.status == 0)
      #expect(
        run.text == """
          DEVICE              SIZE           FX       FY      CX      CY   HFOV    RMS  VERDICT  AGE
          name:left           640x480    533.00   533.25  342.50  234.13  69.1°  0.183  good     just now
          usb:046d:0825:1A2B  1280x720  1400.00  1400.25  342.50  234.13  53.2°  0.183  good     just now

          """)
      #expect(run.talk == "store: \(folder) (as given)\n")
      #expect(try Run("--store", folder, "--size", "640x480").lines.count == 2)
      #expect(try Run("--store", folder, "--size", "641x480").status == 1)
    }
  }

  @Test("with a device prints all that is worth knowing")
  func report() throws {
    try withTemporaryFolder { folder in
      let store = IntrinsicsStore(root: folder)
      try store.save(StoredCameras.record())
      try store.save(StoredCameras.record(width: 320, height: 240))
      let run = try Run("--store", folder, "left", "--size", "640x480")
      #expect(run.status == 0)
      for part in [
        "name:left  640x480  good", "533.0000         0  342.5000", "fy 533.250 ± 0.250",
        "k1 -0.280000 ± 0.001000", "k2 0.025000 ± unknown",
        "k3 0.000000 (did not lower the held-out error)", "RMS 0.183 px",
        "chessboard 9x6, squares of 25.00 mm", "1 of 2 views used", "tilt the board more",
        "by calibrate 0.1.0 (just now)", "\(folder)/name%3Aleft/640x480.json",
      ] {
        #expect(run.text.contains(part), "\(part) in \(run.text)")
      }
      // All sizes of the device unless one is chosen.
      let both = try Run("--store", folder, "name:left").text
      #expect(
        both.contains("name:left  320x240  good") && both.contains("name:left  640x480  good"))
      let corner = try Run("--store", folder, "left", "--size", "640x480", "--origin", "corner")
        .text
      #expect(corner.contains("cx 343.000") && corner.contains("cy 234.625"))
    }
  }

  @Test("prints the stored record as JSON, byte for byte")
  func json() throws {
    try withTemporaryFolder { folder in
      let store = IntrinsicsStore(root: folder)
      let record = StoredCameras.record()
      try store.save(record)
      let run = try Run("--store", folder, "left", "--format", "json")
      #expect(run.status == 0)
      let path = try store.path(for: record.device.id, resolution: record.camera.resolution)
      #expect(run.output == Array(try Data(contentsOf: URL(fileURLWithPath: path))))
      // Without a device: an array.
      let all = try Run("--store", folder, "--format=json")
      let array = try JSONSerialization.jsonObject(with: Data(all.output)) as? [[String: Any]]
      #expect(array?.count == 1)
    }
  }

  /// Pain 65, byte for byte as a program gets it.
  @Test("prints the 48 bytes of a matrix_float3x3")
  func matrix() throws {
    try withTemporaryFolder { folder in
      let record = StoredCameras.record()
      try IntrinsicsStore(root: folder).save(record)
      let run = try Run("--store", folder, "left", "--format", "float3x3")
      #expect(run.output == Array(record.matrixData))
      let hex = try Run("--store", folder, "left", "--hex")
      #expect(hex.lines.count == 3)
      #expect(
        hex.text.split { $0 == " " || $0 == "\n" }.joined()
          == record.matrixData.map { String(format: "%02x", $0) }.joined())
      let corner = try Run("--store", folder, "left", "-f", "float3x3", "--origin", "corner")
      #expect(corner.output == Array(record.matrixData(origin: .corner)))
    }
  }

  @Test("prints the formats of other programs", arguments: ["opencv", "ros", "kalibr", "colmap"])
  func formats(_ format: String) throws {
    try withTemporaryFolder { folder in
      var record = StoredCameras.record()
      record.camera = CameraParameters(
        resolution: record.camera.resolution, intrinsics: record.camera.intrinsics)
      try IntrinsicsStore(root: folder).save(record)
      let run = try Run("--store", folder, "left", "--format", format)
      #expect(run.status == 0, "\(run.talk)")
      #expect(run.text.contains("533.25"))
      let corner = try Run("--store", folder, "left", "--format", format, "--origin", "corner")
      #expect(corner.status == 64)
      #expect(corner.talk.contains("fixes where the principal point is measured from"))
    }
  }

  @Test("Angles are told as far as the lens gives the image's edges a direction")
  func fieldOfView() throws {
    try withTemporaryFolder { folder in
      var record = StoredCameras.record()
      // The picture ends in a circle between the image's sides and its corners.
      for (theta, words) in [
        (0.62, "diagonal unknown: the image's corners get no direction"),
        (0.5, "° down, else unknown: not all of the image's edges get a direction"),
        (0.3, "unknown: the image's edges get no direction"),
      ] {
        record.camera = CameraParameters(
          resolution: record.camera.resolution, lensModel: .spline,
          intrinsics: Intrinsics(fx: 533, fy: 533, cx: 319.5, cy: 239.5),
          distortion: [0, 0, 0, 0, 0, 0, 0, 0, 0, theta])
        try IntrinsicsStore(root: folder).save(record, replace: true)
        let text = try Run("--store", folder, "left").text
        #expect(text.contains(words), "\(theta): \(text)")
      }
    }
  }

  @Test("shows a spline lens, and refuses formats that can't hold it")
  func spline() throws {
    try withTemporaryFolder { folder in
      var record = StoredCameras.record()
      record.camera = CameraParameters(
        resolution: record.camera.resolution, lensModel: .spline,
        intrinsics: record.camera.intrinsics,
        distortion: [0.05, -0.01, 0.001, -0.002, 0.004, -0.001, 0.02, -0.004, 0.06, 1.5])
      record.held["thetaMax"] = "set to the largest angle"
      var other = IntrinsicsRecord.LensCandidate(lensModel: "rational")
      other.note = "cannot be fitted to these views"
      var chosen = IntrinsicsRecord.LensCandidate(lensModel: "spline", isChosen: true)
      (chosen.parameterCount, chosen.sigma, chosen.heldOutSigma) = (9, 0.135, 0.1583)
      (chosen.standardErrorsBehindBest, chosen.imageShare) = (0, 0.59)
      record.lensComparison = [other, chosen]
      try IntrinsicsStore(root: folder).save(record)
      let text = try Run("--store", folder, "left")
      #expect(text.text.contains("lens model spline"))
      #expect(
        text.text.contains("thetaMax 1.500000 rad, 85.94° (set to the largest angle)"),
        "\(text.text)")
      #expect(text.text.contains("0.1350    0.1583     0.0 s.e.   59 %  chosen"), "\(text.text)")
      #expect(text.text.contains("rational: cannot be fitted to these views"))
      #expect(text.text.contains("image: the share of the image"))
      #expect(text.text.contains("within 1 s.e.") && !text.text.contains("Below 0"))
      #expect(text.text.contains("no data beyond 85.9° from the axis"), "\(text.text)")
      let json = try Run("--store", folder, "left", "--format", "json")
      #expect(json.text.contains("\"thetaMax\": 1.5"))
      let matrix = try Run("--store", folder, "left", "--format", "float3x3")
      #expect(matrix.output == Array(record.matrixData(origin: .center)))
      for format in ["opencv", "ros", "kalibr", "colmap"] {
        let run = try Run("--store", folder, "left", "--format", format)
        #expect(run.status != 0 && run.text.isEmpty)
        #expect(run.talk.contains("\(format) has no spline lens"), "\(run.talk)")
      }
      // Better than the best of those that may be chosen; and with nothing held out.
      record.lensComparison?[1].standardErrorsBehindBest = -2.1
      try IntrinsicsStore(root: folder).save(record, replace: true)
      #expect(try Run("--store", folder, "left").text.contains("Below 0: "))
      record.lensComparison?[1].standardErrorsBehindBest = nil
      try IntrinsicsStore(root: folder).save(record, replace: true)
      let few = try Run("--store", folder, "left").text
      #expect(few.contains("fewer than 5 views") && !few.contains("1 s.e."), "\(few)")
    }
  }

  @Test("asks for a size where a format holds one camera and there are several")
  func severalSizes() throws {
    try withTemporaryFolder { folder in
      let store = IntrinsicsStore(root: folder)
      try store.save(StoredCameras.record())
      try store.save(StoredCameras.record(width: 320, height: 240))
      let run = try Run("--store", folder, "left", "--format", "json")
      #expect(run.status == 64)
      #expect(run.output.isEmpty)
      #expect(run.talk.contains("320x240, 640x480: choose one with --size"))
    }
  }

  @Test("writes a file, complete or not at all")
  func outputFile() throws {
    try withTemporaryFolder { folder in
      let record = StoredCameras.record()
      try IntrinsicsStore(root: folder + "/s").save(record)
      let run = try Run(
        "--store", "s", "left", "-f", "float3x3", "-o", "matrix", folder: folder)
      #expect(run.status == 0 && run.output.isEmpty)
      let url = URL(fileURLWithPath: folder + "/matrix")
      #expect(try Data(contentsOf: url) == record.matrixData)
      let lost = try Run("--store", "s", "left", "-o", "no/such/folder", folder: folder)
      #expect(lost.status == 73)
      // A device is written to, not replaced.
      #expect(try Run("--store", "s", "left", "-o", "/dev/null", folder: folder).status == 0)
      let type = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type]
      #expect(type as? FileAttributeType == .typeCharacterSpecial)
      let full = try Run("--store", "s", "left", "-o", "/dev/full", folder: folder)
      #expect(full.status == 73)
      #expect(full.talk.contains("No space left"))
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(names.sorted() == ["matrix", "s"])
    }
  }

  @Test("fails where standard output cannot be written, quietly where nobody reads it")
  func brokenOutput() throws {
    try withTemporaryFolder { folder in
      try IntrinsicsStore(root: folder).save(StoredCameras.record())
      let full = try Run(
        "--store", folder, "left", output: FileHandle(forWritingAtPath: "/dev/full"))
      #expect(full.status == 74)
      #expect(full.talk.contains("No space left"))
      let pipe = Pipe()
      try pipe.fileHandleForReading.close()
      let closed = try Run(
        "--store", folder, "left", "--quiet", output: pipe.fileHandleForWriting)
      #expect(closed.status == 141)
      #expect(closed.talk == "")
    }
  }
}

@Suite("show-intrinsics, asked for what is not there")
struct ShowNothingTests {
  @Test("says that nothing is stored, and where it looked")
  func nothing() throws {
    try withTemporaryFolder { folder in
      for run in [
        try Run("--store", "none", folder: folder),
        try Run("--store", "none", "left", folder: folder),
        try Run(environment: ["CAMERA_CALIBRATIONS": "none"], folder: folder),
      ] {
        #expect(run.status == 1 && run.output.isEmpty)
        #expect(
          run.talk.contains("no calibration is stored in none (") && run.talk.contains("calibrate"))
      }
      let homeless = try Run(folder: folder)
      #expect(homeless.status == 64)
      #expect(homeless.talk.contains("--store"))
    }
  }

  @Test("says which of the folders were read")
  func roots() throws {
    try withTemporaryFolder { folder in
      let user = folder + "/home/.local/share/camera-calibrations"
      try IntrinsicsStore(root: user).save(StoredCameras.record())
      let environment = ["HOME": folder + "/home"]
      let only = try Run("left", environment: environment, folder: folder)
      #expect(only.status == 0 && only.talk == "store: \(user) (the user's store)\n")
      try IntrinsicsStore(root: folder + "/calibrations").save(
        StoredCameras.record(StoredCameras.camera))
      let both = try Run(environment: environment, folder: folder)
      #expect(both.lines.count == 3)
      #expect(both.talk == "store: calibrations (in the working folder), then \(user)\n")
    }
  }

  /// Pain 53: a second camera inherits nothing.
  @Test("says what is near to an unknown device, and what is calibrated of a known one")
  func hints() throws {
    try withTemporaryFolder { folder in
      try IntrinsicsStore(root: folder).save(StoredCameras.record())
      let near = try Run("--store", folder, "lefft")
      #expect(near.status == 1)
      #expect(near.talk.contains("did you mean \"left\"?"))
      let far = try Run("--store", folder, "usb:1:2:3")
      #expect(far.status == 1 && far.talk.contains("lists what is"))
      let size = try Run("--store", folder, "left", "--size", "1280x720")
      #expect(size.status == 1)
      #expect(size.talk.contains("not calibrated at 1280x720; it is at 640x480"))
      let video = try Run("--store", folder, "/dev/video999")
      #expect(video.status == 69 && video.talk.contains("no such video device"))
    }
  }

  @Test("shows what it can where one record cannot be read, and fails")
  func damaged() throws {
    try withTemporaryFolder { folder in
      let store = IntrinsicsStore(root: folder)
      try store.save(StoredCameras.record())
      try store.save(StoredCameras.record(StoredCameras.camera))
      let path = try store.path(
        for: StoredCameras.camera, resolution: Resolution(width: 640, height: 480))
      try Data("{\"schema\": 7}".utf8).write(to: URL(fileURLWithPath: path))
      let table = try Run("--store", folder)
      #expect(table.status == 66)
      #expect(table.lines.count == 3 && table.text.contains("unreadable"))
      #expect(table.talk.contains("\(path): the file has schema 7"))
      let one = try Run("--store", folder, "usb:046d:0825:1A2B")
      #expect(one.status == 66 && one.output.isEmpty)
      let name = try Run("--store", folder, "left")
      #expect(name.status == 0)
    }
  }

  @Test(
    "refuses options that do not go together",
    arguments: [
      ["left", "--hex", "--format", "json"], ["--history"], ["--remove"], ["--restore", "x"],
      ["--format", "opencv"], ["left", "--history", "--remove"], ["left", "right"],
      ["left", "--rename", "x", "--size", "1x1"],
      ["left", "--attach", "usb:1:1:1", "--size", "1x1"],
      ["left", "--rename", "??"], ["left", "--attach", "right"], ["left", "--format", "yaml"],
    ])
  func usage(_ arguments: [String]) throws {
    try withTemporaryFolder { folder in
      try IntrinsicsStore(root: folder).save(StoredCameras.record())
      var run = try Run("--store", folder)
      switch arguments.count {
      case 1: run = try Run("--store", folder, arguments[0])
      case 2: run = try Run("--store", folder, arguments[0], arguments[1])
      case 3: run = try Run("--store", folder, arguments[0], arguments[1], arguments[2])
      case 4:
        run = try Run("--store", folder, arguments[0], arguments[1], arguments[2], arguments[3])
      default:
        run = try Run(
          "--store", folder, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4])
      }
      #expect(run.status == 64, "\(run.talk)")
      #expect(run.output.isEmpty)
    }
  }
}
